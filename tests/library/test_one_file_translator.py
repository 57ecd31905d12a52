"""The translator in one file computes what EncoderDecoder does: logits, gradients, updates, translations."""

import ast
import json
import sys
from pathlib import Path

import pytest
import torch
from density_cases import randomize
from one_file import imported_packages, run_example, source_of
from torch.testing import assert_close

from transformer_lib import EncoderDecoder, TransformerConfig, generate, one_file_translator
from transformer_lib.data import PairBatches
from transformer_lib.one_file_translator import (
    END,
    IGNORED,
    Translator,
    get_batch,
    learning_rate,
    make_optimizer,
    pad,
    sinusoids,
    smoothed_loss,
    train_step,
)
from transformer_lib.training import TrainingConfig, train, translation_loss

SHAPES = {
    "several of all": {"d_model": 12, "n_heads": 3, "n_layers": 3},
    "one head": {"d_model": 6, "n_heads": 1, "n_layers": 1},
    "heads of one feature": {"d_model": 4, "n_heads": 4, "n_layers": 2},
}
every_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
SMALL = SHAPES["several of all"]
VOCAB_SIZES = (9, 7)
CONTEXT = 12
ATTENTIONS = ("query", "key", "value")
RENAMED = {
    "encoder.token_embedding": "source_embedding",
    "decoder.token_embedding": "target_embedding",
    "stack.blocks.": "",
    "cross_attention_norm.": "norm_2.",
    "attention_norm.": "norm_1.",
    ".gain": ".weight",
}


def renamed(tensors):
    """The library's tensors under the names of the one file, which has a matrix for each of q, k and v."""
    found = {}
    for name, tensor in tensors.items():
        for before, after in RENAMED.items():
            name = name.replace(before, after)
        last = "norm_3." if name.startswith("decoder") else "norm_2."
        name = name.replace("feed_forward_norm.", last)
        if "qkv" in name:
            found |= {name.replace("qkv", own): part for own, part in zip(ATTENTIONS, tensor.chunk(3))}
        else:
            found[name] = tensor
    return found


def configuration(shape, dropout=0.0):
    """The form of Vaswani et al. (2017), as chapter 13 builds it."""
    form = {"norm_eps": 1e-5, "norm_eps_on": "variance", "scale_embeddings": True, "dropout": dropout}
    sizes = {"source_vocab_size": VOCAB_SIZES[0], "vocab_size": VOCAB_SIZES[1], "context_length": CONTEXT}
    return TransformerConfig.preset("base", **shape, **form, **sizes)


def twins(shape=SMALL, scale=0.5, dropout=0.0):
    """The library's model and, with the same weights, that of the one file."""
    model = randomize(EncoderDecoder(configuration(shape, dropout)), scale=scale).double()
    twin = Translator(VOCAB_SIZES, **shape, dropout=dropout).double()
    twin.load_state_dict(renamed(model.state_dict()))
    return model, twin


def pairs(*lengths, seed=0):
    """Pairs of texts of these lengths."""
    generator = torch.Generator().manual_seed(seed)

    def text(n, vocab_size):
        return torch.randint(1, vocab_size, (n,), generator=generator).tolist()

    return [(text(n, VOCAB_SIZES[0]), text(m, VOCAB_SIZES[1])) for n, m in lengths]


MIXED = ((5, 3), (1, 7), (8, 0), (3, 3))
every_batch = pytest.mark.parametrize(
    "lengths", [MIXED, ((4, 6),), ((1, 0),), ((1, 1), (1, 1)), ((9, 11), (2, 2))], ids=str
)


def assert_same(ours, theirs, what, tolerance=1e-11):
    assert ours.keys() == theirs.keys(), f"{what} have other names: correct RENAMED"
    for name, tensor in ours.items():
        assert_close(
            tensor,
            theirs[name],
            rtol=tolerance,
            atol=tolerance,
            msg=lambda found, name=name: (
                f"{what} differ in {name}: change the file or EncoderDecoder\n{found}"
            ),
        )


@every_shape
@every_batch
def test_logits_loss_and_gradients_are_the_librarys(shape, lengths):
    model, twin = twins(shape)
    source, source_lengths, inputs, targets = batch = get_batch(pairs(*lengths))
    logits = twin(source, source_lengths, inputs)
    assert_same({"logits": logits}, {"logits": model(source, inputs, source_lengths)}, "the results")
    loss, twin_loss = translation_loss(model, batch, label_smoothing=0.1), smoothed_loss(logits, targets)
    assert_same({"loss": twin_loss}, {"loss": loss}, "the results")
    loss.backward()
    twin_loss.backward()
    gradients, twin_gradients = (
        {name: parameter.grad for name, parameter in one.named_parameters()} for one in (model, twin)
    )
    assert_same(twin_gradients, renamed(gradients), "the gradients")


def test_dropout_drops_what_the_library_drops():
    model, twin = twins(dropout=0.3)
    source, lengths, inputs, _ = get_batch(pairs(*MIXED))
    torch.manual_seed(0)
    expected = model.train()(source, inputs, lengths)
    torch.manual_seed(0)
    assert_same(
        {"logits": twin.train()(source, lengths, inputs)}, {"logits": expected}, "dropped-out results"
    )


def test_equal_generators_draw_the_librarys_initial_weights():
    shape = {"d_model": 8, "n_heads": 2, "n_layers": 2}  # the draws come in sixteens, which 8 * 8 holds
    model = EncoderDecoder(configuration(shape), generator=torch.Generator().manual_seed(3))
    twin = Translator(VOCAB_SIZES, **shape)
    twin.init_weights(torch.Generator().manual_seed(3))
    assert_same(twin.state_dict(), renamed(model.state_dict()), "the initial weights", tolerance=0)


class Given:
    """Training data that a test has made."""

    def __init__(self, batches):
        self.batch = batches.__getitem__


def test_training_steps_are_those_of_the_librarys_loop():
    model, twin = twins(scale=0.3)
    batches = [get_batch(pairs(*MIXED, seed=n)) for n in range(4)]
    settings = TrainingConfig(
        steps=len(batches),
        learning_rate=0.01,
        schedule="inverse-sqrt",
        warmup_steps=2,
        beta2=0.98,
        eps=1e-9,
        weight_decay=0.0,
        clip_norm=None,
        device="cpu",
    )

    def loss(model, batch):
        return translation_loss(model, batch, label_smoothing=0.1)

    result = train(model, loss, Given(batches), settings, progress=False)
    optimizer = make_optimizer(twin)
    losses = [
        train_step(twin, optimizer, learning_rate(step, 0.01, 2), *batch)
        for step, batch in enumerate(batches)
    ]

    assert losses == pytest.approx(result.losses, rel=1e-9), "train_step returns the loss before its update"
    assert_same(twin.state_dict(), renamed(model.state_dict()), "the trained weights", tolerance=1e-8)


def test_the_learning_rate_is_the_librarys_schedule():
    settings = TrainingConfig(learning_rate=0.003, schedule="inverse-sqrt", warmup_steps=40, steps=300)
    for step in range(300):
        found, expected = learning_rate(step, peak=0.003, warmup_steps=40), settings.learning_rate_at(step)
        assert found == pytest.approx(expected), f"at step {step} the rate is not that of inverse-sqrt"


@pytest.fixture(scope="module")
def trained():
    """The losses of a model that learns to turn texts of up to four words round, and the model."""
    shuffled = torch.Generator().manual_seed(0)
    lengths = torch.randint(1, 5, (2400,), generator=shuffled).tolist()
    texts = [torch.randint(1, 7, (n,), generator=shuffled).tolist() for n in lengths]
    torch.manual_seed(0)
    model = Translator(VOCAB_SIZES, d_model=32, n_heads=2, n_layers=1, dropout=0.0)
    optimizer, losses = make_optimizer(model), []
    for step in range(300):
        batch = get_batch([(text, text[::-1]) for text in texts[8 * step : 8 * step + 8]])
        losses.append(train_step(model, optimizer, learning_rate(step, 0.005, 50), *batch))
    return losses, model


def test_it_learns_to_turn_texts_round_in_seconds(trained):
    losses, model = trained
    assert losses[0] > 1.5, "before training, all words should be about equally likely"
    assert losses[-1] < 0.8, "300 steps should leave little more than what the smoothing costs, 0.5 nats"
    source, lengths = pad([[1, 2, 3], [5], [6, 4]], END)
    found = model.translate(source, lengths, n=4).tolist()
    expected = [[3, 2, 1, END], [5, END, END, END], [4, 6, END, END]]
    assert found == expected, "the texts should come out turned round, and end"


@pytest.mark.parametrize("rows", [1, 40])
def test_greedy_translations_are_the_librarys(trained, rows):
    twin = trained[1]
    model = EncoderDecoder(configuration({"d_model": 32, "n_heads": 2, "n_layers": 1})).eval()
    for name, tensor in renamed(model.state_dict()).items():
        tensor.copy_(twin.state_dict()[name])
    shuffled = torch.Generator().manual_seed(1)
    lengths = torch.randint(1, 8, (rows,), generator=shuffled)
    source = torch.randint(1, 7, (rows, 7), generator=shuffled)

    nothing = torch.empty(rows, 0, dtype=torch.long)
    expected = generate(model.condition(source, lengths), nothing, 5, temperature=0.0, end_token=END)
    found = twin.translate(source, lengths, 5)

    n_written = (expected != END).sum(1)
    assert rows == 1 or set(n_written.tolist()) >= {1, 2, 3, 4, 5}, "all lengths should occur: train longer"
    assert found.tolist() == expected.tolist(), (
        "translate writes other words than the library's greedy choice"
    )


def test_dropout_acts_in_training_steps_alone():
    twin = twins(dropout=0.5)[1]
    batch = source, lengths, *_ = get_batch(pairs(*MIXED))
    with torch.no_grad():
        expected = twin.eval()(*batch[:3])
    twin.train()
    twin.translate(source, lengths, 3)
    with torch.no_grad():
        assert torch.equal(twin(*batch[:3]), expected), "translate is to switch dropout off"
    loss = train_step(twin, make_optimizer(twin), 0.0, *batch)
    without = smoothed_loss(expected, batch[3]).item()
    assert abs(loss - without) > 1e-3, "train_step is to switch dropout on again"


def test_a_later_word_cannot_change_an_earlier_prediction():
    twin = twins()[1]
    source, lengths, inputs, _ = get_batch(pairs((5, 6), (3, 6)))
    before = twin(source, lengths, inputs)
    for t in range(inputs.shape[1]):
        changed = inputs.clone()
        changed[:, t] = (changed[:, t] + 1) % VOCAB_SIZES[1]
        after = twin(source, lengths, changed)
        assert torch.equal(after[:, :t], before[:, :t]), f"word {t} reaches a prediction before it"
        moved = (after[:, t:] - before[:, t:]).abs().amax(-1)
        assert (moved > 1e-6).all(), f"word {t} does not reach all predictions from its own on"


def test_padding_changes_nothing_whatever_it_holds():
    twin = twins()[1].eval()
    several = pairs(*MIXED)
    source, lengths, inputs, targets = get_batch(several)
    filled = source.masked_fill(torch.arange(source.shape[1]) >= lengths[:, None], 4)
    together = twin(filled, lengths, inputs)
    total, n_words = 0.0, 0
    for row, pair in enumerate(several):
        alone_source, alone_lengths, alone_inputs, alone_targets = get_batch([pair])
        alone = twin(alone_source, alone_lengths, alone_inputs)
        assert_close(
            together[row, : alone.shape[1]],
            alone[0],
            rtol=1e-11,
            atol=1e-11,
            msg=lambda found, row=row: f"padding changes the logits of pair {row}: mask it\n{found}",
        )
        total += smoothed_loss(alone, alone_targets) * alone_targets.numel()
        n_words += alone_targets.numel()
    assert_close(
        smoothed_loss(together, targets),
        total / n_words,
        msg=lambda found: f"padding counts in the loss: leave it out\n{found}",
    )


def test_a_batch_is_the_librarys():
    several = pairs(*MIXED)
    expected = PairBatches(several, 1000, end_token=END).batch(0)
    order = [
        [pair[1] for pair in several].index(row[row != IGNORED].tolist()[:-1]) for row in expected.targets
    ]
    for name, found in zip(expected._fields, get_batch([several[n] for n in order]), strict=True):
        assert torch.equal(found, getattr(expected, name)), (
            f"{name} is not what PairBatches makes of the pairs"
        )


def test_positions_are_sines_and_cosines_of_ever_longer_waves():
    found = sinusoids(torch.zeros(2, 30, 8, dtype=torch.float64))
    for k in range(30):
        for i in range(4):
            angle = torch.tensor(k / 10000 ** (2 * i / 8), dtype=torch.float64)
            expected = torch.stack([angle.sin(), angle.cos()])
            assert_close(
                found[k, 2 * i : 2 * i + 2],
                expected,
                msg=lambda difference, k=k, i=i: f"position {k}, features {2 * i} and next: {difference}",
            )


def test_the_example_of_the_docstring_writes_a_translation(capsys):
    run_example(one_file_translator, steps=2)
    written = capsys.readouterr().out
    assert written.strip(), "the example prints a translation, here that of a model without training"


def test_the_file_needs_torch_alone_and_can_be_read_at_a_sitting():
    packages = imported_packages(one_file_translator)
    assert packages - sys.stdlib_module_names == {"torch"}, "import torch and no more"
    lines = source_of(one_file_translator).splitlines()
    assert len(lines) <= 220, f"a chapter shows the file whole: {len(lines)} lines are more than 220"
    wide = [line for line in lines if len(line) > 80]
    assert wide == [], "a page has 80 columns: break these lines"


def definitions(source):
    """Each function and class of a source, by name, as its text."""
    tree = ast.parse(source)
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name: ast.get_source_segment(source, node) for node in tree.body if isinstance(node, kinds)}


def test_the_chapter_defines_all_of_the_file_and_as_the_file_does():
    """A student who types the cells has this file."""
    (path,) = (Path(__file__).resolve().parents[2] / "chapters").glob("13_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    visible = [
        "".join(cell["source"])
        for cell in cells
        if cell["cell_type"] == "code" and not cell["metadata"].get("tags")
    ]
    file, page = source_of(one_file_translator), "\n".join(visible)
    shown = definitions(page)
    for name, text in definitions(file).items():
        assert shown.get(name) == text, f"show {name} in a visible cell of {path.name} as it is in the file"
    (constants,) = (line for line in file.splitlines() if line.startswith("END, IGNORED"))
    assert constants in page, f"define END and IGNORED in {path.name} as the file does"
