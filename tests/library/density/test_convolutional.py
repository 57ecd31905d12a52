"""The convolutional model is WaveNet's, and reads the past alone, as far as it says, however it is read."""

import json
import runpy
from functools import partial

import drawn
import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from density_cases import randomize
from hypothesis import given, settings
from torch.testing import assert_close

from transformer_lib.decoding.sampling import generate
from transformer_lib.density import convolutional
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.equations import papers
from transformer_lib.interfaces import SequenceModel

TINY = {"vocab_size": 3, "d_model": 4, "n_stacks": 1, "stack_depth": 2}
EXACT = {"rtol": 0, "atol": 1e-10}
tokens = partial(drawn.tokens, vocab_size=3)


def model(seed=0, **changes):
    """A small model in float64 whose weights are large enough for tokens to matter."""
    return randomize(CausalConvLM(ConvConfig(**TINY | changes)).double(), seed=seed)


shapes = st.fixed_dictionaries(
    {"n_stacks": st.integers(1, 2), "stack_depth": st.integers(1, 3), "kernel_size": st.integers(2, 4)}
)
seeds = st.integers(0, 1000)


def numpy_parameters(lm):
    """The model's parameters in the letters of the equation, each linear map transposed."""
    gated = torch.stack([block.gated.weight for block in lm.blocks]).permute(0, 3, 2, 1).flip(1)
    return {
        "W_f": gated[..., : lm.config.d_model].detach().numpy(),
        "W_g": gated[..., lm.config.d_model :].detach().numpy(),
        "V": np.stack([block.mix.weight.detach().numpy().T for block in lm.blocks]),
        "dilations": lm.config.dilations,
        "U_1": lm.hidden.weight.detach().numpy().T,
        "U_2": lm.head.weight.detach().numpy().T,
    }


@pytest.mark.proves("oord2016")
@given(shapes, st.integers(1, 9), seeds)
@settings(max_examples=25)
def test_the_logits_are_wavenet_s(shape, time, seed):
    lm, x = model(seed, **shape), tokens(2, time, seed=seed)
    theta = numpy_parameters(lm)
    for row, logits in zip(x, lm.logits(x)):
        embedded = lm.token_embedding(row).detach().numpy()
        np.testing.assert_allclose(logits.detach(), papers.wavenet_logits(embedded, **theta), atol=1e-10)


@pytest.mark.proves("oord2016")
@given(st.integers(1, 5), st.integers(2, 4), st.integers(1, 9), seeds)
@settings(max_examples=25)
def test_a_block_is_the_gated_activation_unit_then_a_map_of_width_one(dilation, kernel_size, time, seed):
    block = randomize(convolutional.GatedConvBlock(3, kernel_size, dilation).double(), seed=seed)
    x = torch.randn(1, time, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    W = block.gated.weight.detach().numpy().transpose(2, 1, 0)[::-1]
    a = papers.gated_activation(x[0].numpy(), W[..., :3], W[..., 3:], dilation)
    np.testing.assert_allclose(block(x)[0].detach(), a @ block.mix.weight.detach().numpy().T, atol=1e-10)


@given(shapes, st.integers(1, 12), seeds)
@settings(max_examples=25)
def test_stepping_gives_the_logits_of_one_pass(shape, time, seed):
    lm, x = model(seed, **shape), tokens(2, time, seed=seed)
    expected, state = lm.logits(x), lm.init_state(2)
    for t in range(time):
        logits, state = lm.step(x[:, t], state)
        assert_close(logits, expected[:, t], **EXACT)


@given(shapes, st.lists(st.integers(1, 7), min_size=1, max_size=4), seeds)
@settings(max_examples=25)
def test_reading_in_pieces_gives_the_logits_and_the_state_of_single_steps(shape, pieces, seed):
    lm, x = model(seed, **shape), tokens(2, sum(pieces), seed=seed)
    expected, state, stepped = lm.logits(x), lm.init_state(2), lm.init_state(2)
    for piece, end in zip(pieces, np.cumsum(pieces)):
        logits, state = lm.read(x[:, end - piece : end], state)
        assert_close(logits, expected[:, end - 1], **EXACT)
        _, stepped = SequenceModel.read(lm, x[:, end - piece : end], stepped)
        for past, other in zip(state.pasts, stepped.pasts, strict=True):
            assert_close(past, other, **EXACT)


def test_a_step_copies_what_it_needs_only_when_a_buffer_is_full_or_another_state_has_gone_on():
    lm = model(stack_depth=3)
    state, kept = lm.init_state(1), [[], [], []]
    for _ in range(9):
        _, after = lm.step(tokens(1), state)
        for layer, buffers in enumerate(zip(state.buffers, after.buffers)):
            kept[layer].append(buffers[0] is buffers[1])
        state = after
    # The layers reach 1, 2 and 4 tokens back, and a buffer has room for as many again.
    for reach, layer in zip((1, 2, 4), kept):
        assert layer == [t % reach > 0 or t == 0 for t in range(9)]
    _, branch = lm.step(tokens(1), state)
    _, other = lm.step(tokens(1), state)
    assert not any(a is b for a, b in zip(branch.buffers, other.buffers))


def test_a_step_that_failed_half_way_leaves_its_state_as_it_was():
    lm, x = model(), tokens(2, 3)
    _, state = lm.read(x[:, :2], lm.init_state(2))
    failing = lm.blocks[1].mix.register_forward_pre_hook(lambda module, inputs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        lm.step(1 - x[:, 2].clamp(max=1), state)
    failing.remove()
    assert_close(lm.step(x[:, 2], state)[0], lm.logits(x)[:, -1], **EXACT)


@given(shapes, seeds)
@settings(max_examples=25)
def test_no_gradient_comes_from_the_future_nor_from_beyond_the_receptive_field(shape, seed):
    lm, rows = model(seed, **shape), []
    # Small weights keep the gates open and the rectifiers live, so that what is connected is seen to be.
    with torch.no_grad():
        for parameter in lm.parameters():
            parameter.copy_(0.1 * parameter.abs())
    lm.token_embedding.register_forward_hook(lambda module, inputs, output: rows.append(output))
    time = lm.receptive_field + 3
    logits = lm.logits(tokens(1, time, seed=seed))
    for t in (0, time // 2, time - 1):
        (gradient,) = torch.autograd.grad(logits[0, t].sum(), rows[0], retain_graph=True)
        reached = gradient[0].abs().amax(-1) > 0
        assert reached.tolist() == [t - lm.receptive_field < s <= t for s in range(time)]


@pytest.mark.parametrize(
    ("n_stacks", "stack_depth", "kernel_size", "expected"), [(1, 1, 2, 2), (1, 10, 2, 1024), (3, 2, 3, 19)]
)
def test_the_receptive_field_by_hand(n_stacks, stack_depth, kernel_size, expected):
    config = ConvConfig(3, 1, n_stacks, stack_depth, kernel_size)
    assert CausalConvLM(config).receptive_field == expected
    assert config.dilations == tuple(2**i for i in range(stack_depth)) * n_stacks


def test_the_model_continues_prompts():
    lm, prompt = model(), tokens(2, 5)
    greedy = generate(lm, prompt, 6, temperature=0.0)
    for t in range(5, 11):
        inputs = torch.cat([torch.zeros(2, 1, dtype=torch.long), greedy[:, :t]], dim=1)
        assert torch.equal(lm.logits(inputs)[:, -1].argmax(-1), greedy[:, t])


def test_one_token_is_certain():
    assert model(vocab_size=1).sample(2, 3).tolist() == [[0, 0, 0]] * 2


def test_a_generator_decides_the_weights_and_leaves_the_global_one_alone():
    before = torch.get_rng_state()
    first, second = (
        CausalConvLM(ConvConfig(**TINY), generator=torch.Generator().manual_seed(3)) for _ in range(2)
    )
    assert torch.equal(torch.get_rng_state(), before)
    for (name, a), b in zip(first.named_parameters(), second.parameters()):
        assert torch.equal(a, b) and a.isfinite().all() and a.any(), name


def test_every_parameter_gets_a_finite_gradient_at_its_initial_values():
    lm = CausalConvLM(ConvConfig(3, 8, 2, 3), generator=torch.Generator().manual_seed(0))
    lm.log_prob(tokens(8, 16)).sum().backward()
    for name, parameter in lm.named_parameters():
        assert parameter.grad.isfinite().all() and parameter.grad.any(), name


def test_layers_keep_the_scale_of_their_inputs_at_first():
    lm = CausalConvLM(ConvConfig(50, 64, 2, 5), generator=torch.Generator().manual_seed(0))
    logits = lm.logits(torch.randint(50, (4, 64), generator=torch.Generator().manual_seed(1)))
    assert 0.05 < logits.std() < 1.5


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_logits_and_states_keep_the_type_of_the_weights(dtype):
    lm = model().to(dtype)
    stepped, state = lm.step(tokens(2), lm.init_state(2))
    assert lm.logits(tokens(2, 4)).dtype == stepped.dtype == state.pasts[0].dtype == dtype


def test_a_configuration_survives_json():
    config = ConvConfig(7, 12, n_stacks=2, stack_depth=3, kernel_size=4, start_token=6)
    assert ConvConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config
    assert ConvConfig.from_dict({"vocab_size": 7}) == ConvConfig(7)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vocab_size": 0}, "vocab_size must be a positive whole number, got 0"),
        ({"d_model": 4.0}, "d_model must be a positive whole number, got 4.0"),
        ({"n_stacks": True}, "n_stacks must be a positive whole number, got True"),
        ({"stack_depth": None}, "stack_depth must be a positive whole number, got None"),
        ({"kernel_size": 1}, "kernel_size must be a whole number of at least 2, got 1"),
        ({"start_token": 3}, "start_token must be a token, a whole number from 0 to 2, got 3"),
        ({"kernel": 2}, "no setting 'kernel'; did you mean 'kernel_size'"),
    ],
)
def test_a_wrong_configuration_says_what_would_be_right(changes, message):
    # The tests' own type checks would speak before the configuration does, hence a copy without them.
    plain = runpy.run_path(convolutional.__file__)["ConvConfig"]
    with pytest.raises(ValueError, match=message):
        plain.from_dict(TINY | changes)


def test_a_vocabulary_is_asked_for():
    with pytest.raises(ValueError, match="lacks vocab_size"):
        ConvConfig.from_dict({"d_model": 3})
