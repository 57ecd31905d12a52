"""Linear attention: its two forms are one function, causal, and for one gate the sum of an LSTM."""

import pytest
import torch
from equation_cases import few_examples, lengths, seeds
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.recurrent.cells import memory_weights
from transformer_lib.recurrent.linear_attention import LinearAttention, decay

ATOL = 1e-10


def layer_and_input(seed, batch, time, *, n_heads=2, gated=True, d=6):
    generator = torch.Generator().manual_seed(seed)
    layer = LinearAttention(d, n_heads, gated=gated, generator=generator).double()
    if layer.forget is not None:
        torch.nn.init.normal_(layer.forget.bias, generator=generator)
    return layer, torch.randn(batch, time, d, dtype=torch.float64, generator=generator)


def by_steps(layer, x):
    state, outputs = layer.init_state(len(x)), []
    for x_t in x.unbind(1):
        output, state = layer.step(x_t, state)
        outputs.append(output)
    return torch.stack(outputs, dim=1)


@few_examples
@given(seeds, st.integers(1, 3), lengths, st.sampled_from([1, 2, 3]), st.booleans())
def test_all_places_at_once_are_the_steps_of_the_memory(seed, batch, time, n_heads, gated):
    layer, x = layer_and_input(seed, batch, time, n_heads=n_heads, gated=gated)
    torch.testing.assert_close(layer(x), by_steps(layer, x), rtol=0, atol=ATOL)


@pytest.mark.parametrize("gated", [False, True])
def test_both_forms_have_the_same_gradients(gated):
    layer, x = layer_and_input(0, 2, 7, gated=gated)
    upstream = torch.randn(2, 7, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    inputs = [x.requires_grad_(), *layer.parameters()]
    at_once = torch.autograd.grad((layer(x) * upstream).sum(), inputs)
    stepped = torch.autograd.grad((by_steps(layer, x) * upstream).sum(), inputs)
    for one, other in zip(at_once, stepped):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-9)
        assert one.abs().max() > 0


def test_a_later_input_cannot_change_an_earlier_output():
    layer, x = layer_and_input(0, 1, 6)
    changed = x.clone()
    changed[0, 3] += 1
    moved = (layer(changed) - layer(x)).abs().amax(-1)[0] > ATOL
    assert moved.tolist() == [False, False, False, True, True, True]


@pytest.mark.parametrize("gated", [False, True])
def test_weights_are_positive_and_sum_to_one_over_the_past(gated):
    layer, x = layer_and_input(0, 2, 5, gated=gated)
    weights = layer.weights(x)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, 5, dtype=torch.float64))
    assert torch.equal(weights > 0, torch.ones_like(weights).tril().bool())


def test_what_is_left_is_the_product_of_the_forget_gates():
    forget = torch.rand(2, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    ones = torch.ones(2, 6, 1, dtype=torch.float64)
    expected = memory_weights(ones, forget[..., None])[..., 0]
    torch.testing.assert_close(decay(forget.log()), expected, rtol=0, atol=ATOL)


@pytest.mark.parametrize("closed", [-30.0, -200.0])
def test_a_gate_that_is_closed_as_far_as_numbers_go_hides_the_past_and_harms_nothing(closed):
    layer, x = layer_and_input(0, 1, 7)
    layer, x = layer.float(), x.float().requires_grad_()
    with torch.no_grad():
        layer.forget.weight[:], layer.forget.bias[:] = 0.0, closed
    torch.testing.assert_close(layer(x), by_steps(layer, x), rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(layer.weights(x), torch.eye(7).expand(1, 2, 7, 7), rtol=0, atol=1e-6)
    layer(x).square().sum().backward()
    assert x.grad.isfinite().all() and layer.forget.bias.grad.isfinite().all()


def test_its_memory_does_not_grow_with_what_has_been_read():
    layer, x = layer_and_input(0, 1, 6)
    state = layer.init_state(1)
    _, after = layer.step(x[:, 0], state)
    assert [part.shape for part in after] == [part.shape for part in state]
    assert state.matrix.shape == (1, 2, 3, 3)


def test_heads_that_do_not_divide_the_width_are_refused():
    with pytest.raises(ValueError, match="n_heads must divide d_model; got 4 and 6"):
        LinearAttention(6, 4)
