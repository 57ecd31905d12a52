"""Transformer-XL scores as Dai et al. do, and reads a text alike however it is cut."""

import json
import math
from functools import partial

import drawn
import numpy as np
import pytest
import torch
from density_cases import assert_samples_follow, randomize
from drawn import exactly as assert_close
from equation_cases import few_examples, lengths, normal, seeds
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from transformer_lib.decoding.sampling import generate
from transformer_lib.equations import note, papers_attention
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.positions import sinusoids
from transformer_lib.transformer.transformer_xl import (
    Distances,
    RelativeAttention,
    TransformerXL,
    TransformerXLConfig,
    XLState,
    relative_shift,
)

FORMS = {"post": {}, "pre": {"norm": "pre", "activation": "gelu"}}
every_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
tokens = partial(drawn.tokens, vocab_size=3)


def build(seed=0, scale=1.0, **values):
    """A model in float64 with all parameters normal, the global biases included."""
    values = {"vocab_size": 3, "memory_length": 2, "d_model": 4, "n_heads": 2, "n_layers": 2} | values
    model = randomize(TransformerXL(TransformerXLConfig(**values)), seed, scale).double()
    return model.eval()


def test_embeddings_are_scaled_by_the_root_of_the_width_before_they_enter_the_blocks():
    model, x, entered = build(d_model=4), tokens(2, 3), []
    model.stack.register_forward_pre_hook(lambda module, arguments: entered.append(arguments[0]))
    model.logits(x)
    assert_close(entered[0], 2 * model.token_embedding.weight[x])


@pytest.mark.proves("dai2019")
@few_examples
@given(seeds, st.integers(0, 4), lengths, st.integers(1, 3), st.integers(1, 3))
def test_weights_and_outputs_are_those_of_dai_s_four_terms(seed: int, M: int, L: int, H: int, k: int) -> None:
    d = H * k
    h, memory, u, v = normal(seed, (L, d), (M, d), (H, k), (H, k))
    W_q, W_kE, W_kR, W_v, W_c = normal(seed + 1, *[(d, d)] * 5)
    R = sinusoids(M + L, d)
    distances = Distances(M + L - 1, d, H).double()
    module = RelativeAttention(d, H, distances).double()
    linears = (module.query, module.key, module.distance_key, module.value, module.output)
    with torch.no_grad():
        for linear, matrix in zip(linears, (W_q, W_kE, W_kR, W_v, W_c)):
            linear.weight.copy_(torch.from_numpy(matrix))
    x, past, *biases = (torch.from_numpy(array) for array in (h, memory, u, v))
    context = torch.cat([past, x])[None]
    with torch.no_grad():
        for parameter, value in zip((distances.content_bias, distances.distance_bias), biases):
            parameter.copy_(value)

    expected, heads = np.zeros((H, L, M + L)), []
    for head in range(H):
        rows = slice(head * k, (head + 1) * k)
        A = papers_attention.transformer_xl_scores(
            h, memory, R.numpy(), W_q[rows], W_kE[rows], W_kR[rows], u[head], v[head]
        )
        expected[head] = [note.softmax(row) for row in A / np.sqrt(k)]
        heads.append(expected[head] @ papers_attention.remember(memory, h) @ W_v[rows].T)
    weights = module.weights(x[None], context, Mask.causal())[0].detach()
    np.testing.assert_allclose(weights, expected, atol=1e-10)
    output = module(x[None], context, Mask.causal())[0].detach()
    np.testing.assert_allclose(output, np.concatenate(heads, axis=1) @ W_c.T, atol=1e-10)


@pytest.mark.proves("huang2019")
@few_examples
@given(seeds, lengths)
def test_the_shift_of_a_square_is_the_music_transformer_s_skew(seed: int, L: int) -> None:
    (QE,) = normal(seed, (L, L))
    np.testing.assert_array_equal(relative_shift(torch.from_numpy(QE)), papers_attention.skew(QE))


@few_examples
@given(seeds, st.integers(0, 5), lengths)
def test_the_shift_puts_each_distance_at_the_key_that_is_so_far_away(seed, M, L):
    (by_distance,) = normal(seed, (2, L, M + L))
    shifted = relative_shift(torch.from_numpy(by_distance)).numpy()
    for i in range(L):
        for j in range(M + i + 1):
            np.testing.assert_array_equal(shifted[:, i, j], by_distance[:, i, M + L - 1 - (M + i - j)])


@pytest.mark.slow
@every_form
@settings(max_examples=12)
@given(
    st.integers(1, 3),
    st.lists(st.integers(0, 7), min_size=1, max_size=3),
    st.integers(1, 9),
    st.integers(0, 99),
)
def test_however_a_text_is_cut_it_is_read_alike(form, batch, cuts, memory_length, seed):
    """Segments shorter and longer than the memory, and none; the states too are the same in the end."""
    model, time = build(seed, memory_length=memory_length, **form), sum(cuts)
    x = tokens(batch, time, seed=seed)
    whole, last = model.logits_and_state(x)
    assert (
        whole.shape == (batch, time, 3)
        and [len(part[0]) for part in last.inputs] == [min(time, memory_length)] * 2
    )
    assert_close(model.logits(x), whole)

    pieces, state = [], None
    for piece in x.split(cuts, dim=1):
        logits, state = model.logits_and_state(piece, state)
        pieces.append(logits)
    assert_close(torch.cat(pieces, dim=1), whole)
    for part, expected in zip(state.inputs, last.inputs, strict=True):
        assert_close(part, expected)


@every_form
@pytest.mark.parametrize(("n_layers", "memory_length"), [(1, 3), (2, 1), (3, 2)])
def test_the_logits_reach_back_one_memory_for_each_layer_and_no_further(form, n_layers, memory_length):
    """Each row but the last changes one token."""
    model, reach = build(n_layers=n_layers, memory_length=memory_length, **form), n_layers * memory_length
    time = reach + 4
    x = tokens(1, time).repeat(time + 1, 1)
    changed = torch.eye(time + 1, time, dtype=torch.bool).flip(1)
    x = torch.where(changed, (x + 1) % 3, x)
    slid, state = None, model.init_state(time + 1)
    for token in x.unbind(1):
        slid, state = model.step(token, state)
    for logits in (slid, model.logits(x)[:, -1]):
        is_felt = (logits[:-1] - logits[-1]).abs().amax(1) > 1e-12
        assert is_felt.tolist() == [distance <= reach for distance in range(time)]


@every_form
def test_only_distances_count_so_that_it_does_not_matter_what_or_how_much_came_before(form):
    model = build(**form)
    reach = 1 + 2 * 2
    x = tokens(2, reach)
    for before in range(1, 5):
        longer = torch.cat([tokens(2, before, seed=before), x], dim=1)
        assert_close(model.logits(longer)[:, -1], model.logits(x)[:, -1])


def test_the_order_of_the_past_matters():
    model = build(n_layers=1, memory_length=5)
    first, second = torch.tensor([[1, 2, 0]]), torch.tensor([[2, 1, 0]])
    assert not torch.allclose(model.logits(first)[:, -1], model.logits(second)[:, -1])
    with torch.no_grad():
        for block in model.stack.blocks:
            block.attention.distance_key.weight.zero_()
    assert_close(model.logits(first)[:, -1], model.logits(second)[:, -1])


@every_form
def test_the_gradient_stops_at_the_memory_and_goes_through_the_segment(form):
    model, x = build(memory_length=6, **form), tokens(1, 6)
    read = []
    model.token_embedding.register_forward_hook(lambda module, inputs, output: read.append(output))
    _, state = model.logits_and_state(x[:, :3])
    assert not any(part.requires_grad for part in state.inputs)
    logits, _ = model.logits_and_state(x[:, 3:], state)
    before, within = torch.autograd.grad(logits[:, -1].square().sum(), read, allow_unused=True)
    assert before is None and (within != 0).any(-1).all()


def test_what_projects_the_memory_is_trained_though_the_memory_is_not():
    """The last query's only other key is in the memory; no gradient of its own key comes to the weights."""
    model = build(n_layers=1, memory_length=1)
    _, state = model.logits_and_state(tokens(1, 1))
    model.logits_and_state(tokens(1, 1, seed=1), state)[0].square().sum().backward()
    assert model.stack.blocks[0].attention.key.weight.grad.abs().max() > 0


@every_form
def test_samples_follow_the_model_s_own_probabilities_beyond_its_memory(form):
    assert_samples_follow(build(memory_length=1, **form), 5)


def test_greedy_generation_is_the_argmax_of_the_logits_at_every_token():
    model = build()
    prompt = tokens(3, 4)
    text = generate(model, prompt, 8, temperature=0.0)
    inputs = torch.cat([torch.full((3, 1), model.start_token), text[:, :-1]], dim=1)
    assert torch.equal(model.logits(inputs).argmax(-1)[:, 4:], text[:, 4:])


def test_a_generator_fixes_the_initial_weights():
    def weights(seed):
        config = TransformerXLConfig(5, 3, d_model=8, n_heads=2, n_layers=2)
        return TransformerXL(config, generator=torch.Generator().manual_seed(seed)).state_dict()

    state = torch.get_rng_state()
    first, same, other = weights(0), weights(0), weights(1)
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert not torch.equal(first["token_embedding.weight"], other["token_embedding.weight"])


@every_form
def test_every_parameter_gets_a_finite_gradient_at_its_initial_values(form):
    config = TransformerXLConfig(5, 3, d_model=8, n_heads=2, n_layers=2, **form)
    model = TransformerXL(config, generator=torch.Generator().manual_seed(0))
    model.log_prob(tokens(4, 6, vocab_size=5)).sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all() and parameter.grad.any(), name
    assert (
        math.log(5) - 0.3 < -model.log_prob(tokens(50, 6, vocab_size=5)).mean().item() / 6 < math.log(5) + 1
    )


def test_parameters_are_counted_once():
    d, d_ff, v = 8, 12, 5
    model = TransformerXL(TransformerXLConfig(v, 3, d_model=d, n_heads=2, n_layers=3, d_ff=d_ff))
    block = 5 * d * d + (2 * d * d_ff + d_ff + d) + 4 * d
    assert model.n_parameters() == v * d + 2 * d + 3 * block


def test_dropout_acts_in_training_alone():
    model = build(dropout=0.5)
    assert torch.equal(model.logits(tokens(1, 5)), model.logits(tokens(1, 5)))
    model.train()
    assert not torch.equal(model.logits(tokens(1, 5)), model.logits(tokens(1, 5)))
    assert {module.p for module in model.modules() if isinstance(module, nn.Dropout)} == {0.5}


def test_a_configuration_survives_json():
    config = TransformerXLConfig(7, 5, 6, 3, 2, 9, 0.1, "pre", "gelu", 3)
    assert TransformerXLConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"memory_length": 0}, "memory_length must be a positive whole number, got 0"),
        ({"d_model": 6, "n_heads": 4}, "d_model=6 is not a multiple of n_heads=4"),
        ({"dropout": 1.0}, "dropout must be a number with 0 <= dropout < 1, got 1.0"),
        ({"norm": "Pre"}, "norm 'Pre' is not one of 'pre', 'post'; did you mean 'pre'"),
        ({"activation": "swish"}, "activation 'swish' is not one of 'sigmoid', 'tanh', 'relu'"),
        ({"start_token": 5}, "start_token must be a token, a whole number from 0 to 4, got 5"),
        ({"memory": 5}, "did you mean 'memory_length'"),
    ],
)
def test_a_wrong_configuration_says_what_would_be_right(values, message):
    with pytest.raises(ValueError, match=message):
        TransformerXLConfig.from_dict({"vocab_size": 5, "memory_length": 3} | values)


def test_tokens_and_states_that_do_not_fit_are_refused():
    model = build()
    with pytest.raises(ValueError, match="token 3 at batch 0, time 1"):
        model.logits(torch.tensor([[0, 3]]))
    with pytest.raises(ValueError, match=r"needs 2 rows for each of 2 blocks; got \[3, 3\]"):
        model.logits_and_state(tokens(2, 2), model.init_state(3))
    with pytest.raises(ValueError, match=r"needs 2 rows for each of 2 blocks; got \[2\]"):
        model.step(tokens(2, 1)[:, 0], XLState(model.init_state(2).inputs[:1]))
    with pytest.raises(ValueError, match="no token to read"):
        model.read(tokens(2, 0), model.init_state(2))


@pytest.mark.slow
def test_carried_memory_lets_short_segments_learn_what_only_earlier_ones_tell():
    """Texts repeat their first 8 random tokens, and are read 4 tokens at a time."""

    def last_loss(carry):
        generator = torch.Generator().manual_seed(0)
        config = TransformerXLConfig(4, 8, d_model=32, n_heads=2, n_layers=1)
        model = TransformerXL(config, generator=generator)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        for _ in range(10):
            x = torch.randint(4, (32, 8), generator=generator).repeat(1, 6)
            state, losses = None, []
            for begin in range(0, 40, 4):
                logits, state = model.logits_and_state(x[:, begin : begin + 4], state if carry else None)
                targets = x[:, begin + 1 : begin + 5]
                losses.append(nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten()))
                optimizer.zero_grad()
                losses[-1].backward()
                optimizer.step()
        return torch.stack(losses[2:]).mean().item()

    assert last_loss(carry=True) < 0.7
    assert last_loss(carry=False) > math.log(4) - 0.1
