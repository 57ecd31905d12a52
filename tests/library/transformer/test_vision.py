"""The image transformer is a distribution over images; words look at the patches that answer them."""

import math

import pytest
import torch
from density_cases import all_sequences, randomize
from drawn import exactly as assert_close
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from transformer_lib.data import WordTokenizer, load_digits, load_visual_questions
from transformer_lib.decoding.sampling import generate
from transformer_lib.metrics import bits_per_dim
from transformer_lib.transformer.attention import attention_weights
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.vision import CrossModalClassifier, ImageTransformer, RowColumnPositions

every_window = pytest.mark.parametrize("window", [None, 1, 2, 3])


def painter(height=2, width=3, *, levels=3, window=None, seed=0, scale=1.0, **values):
    """A small model in float64 with all parameters normal."""
    values = {"d_model": 4, "n_heads": 2, "n_layers": 2, "positions": "none"} | values
    config = TransformerConfig(levels, height * width, **values)
    return randomize(ImageTransformer(config, width, window=window), seed, scale).double().eval()


def pixels(batch, n, seed=0, levels=3):
    return torch.randint(levels, (batch, n), generator=torch.Generator().manual_seed(seed))


@given(st.integers(1, 4), st.integers(1, 4), st.data())
@settings(max_examples=20)
def test_each_pixel_is_told_its_row_and_its_column(height, width, data):
    start = data.draw(st.integers(0, height * width))
    time = data.draw(st.integers(0, height * width - start))
    positions = randomize(RowColumnPositions(height, width, 3)).double()
    x = torch.randn(2, time, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    told = positions.embed(x, start)
    for t in range(time):
        row, column = divmod(start + t, width)
        assert_close(told[:, t], x[:, t] + positions.rows.weight[row] + positions.columns.weight[column])


def test_there_is_no_position_outside_the_image():
    with pytest.raises(ValueError, match="RowColumnPositions has 6 positions; got 7"):
        RowColumnPositions(2, 3, 4).embed(torch.zeros(1, 3, 4), start=4)


@given(st.integers(1, 4), st.integers(0, 5), st.integers(1, 5))
@settings(max_examples=20)
def test_the_window_is_the_dense_mask_of_the_nearest_pixels_before(window, start, queries):
    keys = start + queries
    query, key = (
        torch.randn(1, 2, n, 3, generator=torch.Generator().manual_seed(n)) for n in (queries, keys)
    )
    distance = torch.arange(start, keys)[:, None] - torch.arange(keys)
    near = Mask.from_dense((distance >= 0) & (distance < window))
    expected = attention_weights(query, key, near)
    assert torch.equal(attention_weights(query, key, Mask.window(window)), expected)
    assert torch.equal(attention_weights(query, key, Mask.causal() & Mask.window(window)), expected)


@pytest.mark.parametrize("window", [1, 2, 4])
@pytest.mark.parametrize("n_layers", [1, 2])
def test_a_pixel_depends_on_window_inputs_a_block_and_one_block_more_for_each(window, n_layers):
    model = painter(3, 3, window=window, n_layers=n_layers)
    reach = n_layers * (window - 1)
    embedded = []
    model.token_embedding.register_forward_hook(lambda module, inputs, output: embedded.append(output))
    logits = model.logits(pixels(1, 9))
    for t in range(9):
        (gradient,) = torch.autograd.grad(logits[0, t].square().sum(), embedded[0], retain_graph=True)
        felt = (gradient[0].abs().amax(-1) > 0).tolist()
        assert felt == [max(0, t - reach) <= s <= t for s in range(9)]


def test_a_window_of_all_pixels_hides_nothing():
    x = pixels(2, 6)
    assert_close(painter(window=6).logits(x), painter().logits(x))


@pytest.mark.slow
@every_window
@pytest.mark.parametrize("norm", ["pre", "post"])
@given(st.integers(1, 3), st.integers(0, 6), st.integers(0, 9))
@settings(max_examples=8)
def test_pixels_read_from_the_cache_predict_as_all_at_once(window, norm, batch, cut, seed):
    model, x = painter(window=window, norm=norm), pixels(batch, 6, seed)
    whole, state = model.logits(x), model.init_state(batch)
    if cut:
        logits, state = model.read(x[:, :cut], state)
        assert_close(logits, whole[:, cut - 1])
    for t in range(cut, 6):
        logits, state = model.step(x[:, t], state)
        assert_close(logits, whole[:, t])


@every_window
def test_the_lower_half_is_completed_given_the_upper(window):
    """As often as p(lower | upper) says, which the joint and the marginal probabilities give."""
    model, upper = painter(2, 2, window=window, levels=2), torch.tensor([[1, 0]])
    lower = all_sequences(2, 2).long()
    with torch.no_grad():
        joint = model.log_prob(torch.cat([upper.expand(4, -1), lower], dim=1))
        expected = (joint - model.log_prob(upper)).exp()
    assert expected.sum().item() == pytest.approx(1)
    generator = torch.Generator().manual_seed(0)
    completed = generate(model, upper.expand(4000, -1), 2, generator=generator)
    assert (completed[:, :2] == upper).all()
    share = (completed[:, 2:] @ torch.tensor([2, 1])).bincount(minlength=4) / 4000
    assert ((share - expected).abs() < 5 * (expected * (1 - expected) / 4000).sqrt() + 1e-9).all()


def test_rows_and_columns_matter():
    """Another vector of the second column changes what stands there, and what looks back at it."""
    model, x = painter(2, 3), pixels(1, 6)
    before = model.logits(x)
    with torch.no_grad():
        model.stack.positions.columns.weight[1, 0] += 1
    changed = (model.logits(x) - before).abs().amax(-1)[0] > 1e-9
    assert changed.tolist() == [False, True, True, True, True, True]


def test_one_pixel_is_an_image():
    assert painter(1, 1).sample(2, 1).shape == (2, 1)


def test_what_is_no_image_is_refused():
    model = painter(2, 3)
    with pytest.raises(ValueError, match="at most 6 tokens; got 7"):
        model.log_prob(pixels(1, 7))
    with pytest.raises(ValueError, match="must be from 0 to 6 here; got 7"):
        model.sample(1, 7)
    with pytest.raises(ValueError, match="the image has 6 pixels: there is none after the last"):
        generate(model, pixels(1, 4), 3)
    with pytest.raises(ValueError, match="token 3 at batch 0, time 0"):
        model.log_prob(torch.tensor([[3]]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": 4}, "context_length=6 pixels are no rows of width=4"),
        ({"width": 0}, "width must be at least 1; got 0"),
        ({"window": 0}, "window must be a positive whole number, got 0"),
        ({"positions": "learned"}, "positions must be 'none', got 'learned'"),
    ],
)
def test_a_shape_that_is_none_is_refused(change, message):
    values = {"positions": "none", "width": 3, "window": None} | change
    config = TransformerConfig(3, 6, d_model=4, n_heads=2, positions=values["positions"])
    with pytest.raises(ValueError, match=message):
        ImageTransformer(config, values["width"], window=values["window"])


def make_painter(seed):
    config = TransformerConfig(3, 6, d_model=4, n_heads=2, n_layers=1, positions="none")
    return ImageTransformer(config, 3, window=2, generator=torch.Generator().manual_seed(seed))


def make_classifier(seed, **changes):
    values = {"d_model": 8, "n_heads": 2, "n_layers": 2} | changes
    sizes = {"n_answers": 3, "height": 4, "width": 6, "patch_size": 2}
    sizes |= {name: values.pop(name) for name in sizes if name in values}
    config = TransformerConfig(7, 5, **values)
    return CrossModalClassifier(config, **sizes, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("make", [make_painter, make_classifier])
def test_a_generator_fixes_the_initial_weights_and_nothing_else_is_drawn_from(make):
    state = torch.get_rng_state()
    first, same, other = (make(seed).state_dict() for seed in (0, 0, 1))
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(first[name], same[name]) for name in first)
    drawn = [name for name in first if first[name].std() > 0]
    assert drawn and not any(torch.equal(first[name], other[name]) for name in drawn)


def looker(**changes):
    return randomize(make_classifier(0, **changes)).double().eval()


def inputs(batch=3, time=5, seed=0):
    generator = torch.Generator().manual_seed(seed)
    images = torch.rand(batch, 4, 6, dtype=torch.float64, generator=generator)
    questions = torch.randint(7, (batch, time), generator=generator)
    return images, questions, torch.randint(1, time + 1, (batch,), generator=generator)


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["pre", "post"])
@given(st.integers(1, 3), st.integers(1, 5), st.integers(0, 99))
@settings(max_examples=10)
def test_a_question_is_answered_alike_alone_and_padded_in_a_batch(norm, batch, time, seed):
    model = looker(norm=norm)
    images, questions, n_words = inputs(batch, time, seed)
    together = model(images, questions, n_words)
    assert together.shape == (batch, 3)
    for b in range(batch):
        assert_close(model(images[b : b + 1], questions[b : b + 1, : n_words[b]])[0], together[b])


def test_every_pixel_and_every_word_may_decide():
    model = looker()
    images, questions, _ = inputs(1)
    images.requires_grad_()
    embedded = []
    model.question_encoder.token_embedding.register_forward_hook(lambda m, i, output: embedded.append(output))
    gradients = torch.autograd.grad(model(images, questions)[0, 0], [images, embedded[0]])
    assert (gradients[0] != 0).all() and (gradients[1] != 0).all()


def test_patches_are_squares_in_reading_order_told_their_rows_and_columns():
    model = looker(n_layers=1)
    seen = []
    model.image_stack.blocks[0].register_forward_pre_hook(lambda module, inputs: seen.append(inputs[0]))
    images, questions, _ = inputs(2)
    model(images, questions)
    places = model.image_stack.positions
    for row in range(2):
        for column in range(3):
            patch = images[:, 2 * row : 2 * row + 2, 2 * column : 2 * column + 2].flatten(1)
            told = places.rows.weight[row] + places.columns.weight[column]
            assert_close(seen[0][:, 3 * row + column], model.patch_embedding(patch) + told)


def test_where_the_patches_stand_matters():
    """The same patches in another order, seen by words that have no other way to tell them apart."""
    model = looker()
    images, questions, _ = inputs(1)
    mirrored = torch.cat([images[..., 4:], images[..., 2:4], images[..., :2]], dim=-1)
    assert not torch.allclose(model(mirrored, questions), model(images, questions))
    with torch.no_grad():
        model.image_stack.positions.columns.weight.zero_()
    assert_close(model(mirrored, questions), model(images, questions))


def test_attention_maps_are_weights_over_the_patches_and_leave_the_model_as_it_was():
    model = looker()
    images, questions, n_words = inputs()
    before = model(images, questions, n_words)
    maps = model.attention_maps(images, questions, n_words)
    assert maps.shape == (3, 2, 2, 5, 2, 3) and not maps.requires_grad
    assert_close(maps.sum((-1, -2)), torch.ones(3, 2, 2, 5, dtype=torch.float64))
    assert maps.std() > 0.01
    assert torch.equal(model(images, questions, n_words), before)
    with torch.no_grad():
        for layer in model.stack.blocks:
            layer.cross_attention.qkv.weight[:8] = 0
    uniform = model.attention_maps(images, questions, n_words)
    assert_close(uniform, torch.full_like(uniform, 1 / 6))


def test_maps_are_the_weights_by_which_the_words_take_in_the_patches():
    """With one block, the maps and the values give what cross-attention adds."""
    model, taken = looker(n_layers=1), []
    cross = model.stack.blocks[0].cross_attention
    cross.register_forward_hook(lambda module, inputs, output: taken.append((inputs[1], output)))
    images, questions, _ = inputs(2)
    maps = model.attention_maps(images, questions).flatten(-2)[:, 0]
    patches, expected = taken[0]
    value = cross.keys_values(patches).value
    assert_close(cross.output((maps @ value).transpose(1, 2).flatten(2)), expected)


@pytest.mark.parametrize("make", [make_painter, make_classifier])
def test_every_parameter_gets_a_finite_gradient_at_its_initial_values(make):
    model = make(0)
    if isinstance(model, ImageTransformer):
        model.log_prob(pixels(4, 6)).sum().backward()
    else:
        images, questions, n_words = inputs(6)
        model(images.float(), questions, n_words)[:, 0].sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all() and parameter.grad.any(), name


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"patch_size": 4}, "patches of 4 pixels do not fill an image of 4 by 6"),
        ({"n_answers": 0}, "n_answers must be at least 1; got 0"),
        ({"positions": "rotary"}, "positions='rotary' would act on patches as on words"),
    ],
)
def test_a_classifier_that_cannot_be_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        make_classifier(0, **changes)


def test_images_and_questions_that_do_not_fit_are_refused():
    model = looker()
    images, questions, _ = inputs()
    with pytest.raises(ValueError, match=r"images need the shape \(batch, 4, 6\); got \(\d+, 4, 5\)"):
        model(images[..., :5], questions)
    with pytest.raises(ValueError, match="there are 2 images for 3 questions"):
        model.attention_maps(images[:2], questions)
    with pytest.raises(ValueError, match="a question is empty"):
        model(images, questions, torch.tensor([1, 0, 2]))
    with pytest.raises(ValueError, match="a question is empty"):
        model(images, questions[:, :0])
    with pytest.raises(ValueError, match="token 7 at batch 0"):
        model(images, questions + 7 - questions[0, 0])


def encoded(data, tokenizer):
    rows = [tokenizer.encode(question) for question in data.questions]
    longest = max(map(len, rows))
    questions = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    answers = torch.tensor([data.answer_words.index(answer) for answer in data.answers])
    return torch.from_numpy(data.images).float(), questions, torch.tensor([len(row) for row in rows]), answers


def accuracy_after_training(blind):
    train = load_visual_questions(2000, rows=1, columns=3, kinds=["neighbor"], seed=0)
    test = load_visual_questions(400, rows=1, columns=3, kinds=["neighbor"], seed=1)
    tokenizer, generator = WordTokenizer.fit(train.questions), torch.Generator().manual_seed(0)
    config = TransformerConfig(tokenizer.vocab_size, 6, d_model=32, n_heads=4, n_layers=1)
    model = CrossModalClassifier(config, len(train.answer_words), 6, 18, 6, generator=generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    images, *rest = encoded(train, tokenizer)
    for _ in range(120):
        batch = torch.randint(len(images), (64,), generator=generator)
        questions, n_words, answers = (part[batch] for part in rest)
        seen = torch.zeros_like(images[batch]) if blind else images[batch]
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(seen, questions, n_words), answers).backward()
        optimizer.step()
    images, questions, n_words, answers = encoded(test, tokenizer)
    logits = model(torch.zeros_like(images) if blind else images, questions, n_words)
    return (logits.argmax(1) == answers).double().mean().item()


@pytest.mark.slow
def test_who_sees_the_picture_answers_and_who_does_not_guesses():
    seeing, blind = accuracy_after_training(blind=False), accuracy_after_training(blind=True)
    assert seeing > 0.7
    assert blind < 0.25


@pytest.mark.slow
def test_a_short_training_on_digits_beats_the_pixels_own_frequencies():
    digits = load_digits(levels=16)
    train, test = (torch.from_numpy(part).long() for part in (digits.train, digits.test[:200]))
    counts = torch.stack([column.bincount(minlength=16) for column in train.T]).double() + 1
    frequencies = (counts / counts.sum(1, keepdim=True)).log()
    alone = -frequencies[torch.arange(64), test].sum(1).mean().item()

    generator = torch.Generator().manual_seed(0)
    config = TransformerConfig(16, 64, d_model=32, n_heads=4, n_layers=1, positions="none")
    model = ImageTransformer(config, 8, generator=generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(120):
        batch = train[torch.randint(len(train), (32,), generator=generator)]
        optimizer.zero_grad()
        (-model.log_prob(batch).mean() / 64).backward()
        optimizer.step()
    with torch.no_grad():
        nats = -model.log_prob(test).mean().item()
    assert bits_per_dim(nats, 64) < bits_per_dim(alone, 64) - 0.1
    assert bits_per_dim(nats, 64) < math.log2(16)
