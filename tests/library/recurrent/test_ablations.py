"""An LSTM layer without some of its parts: the whole one, the note's ablated one, and what lies between."""

from itertools import chain, combinations

import numpy as np
import pytest
import torch
from equation_cases import few_examples, lengths, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations.slides import sigmoid
from transformer_lib.recurrent.ablations import PARTS, PartialLSTMLayer
from transformer_lib.recurrent.cells import (
    AblatedLSTMLayer,
    AblatedLSTMState,
    LSTMLayer,
    LSTMState,
    memory_weights,
)

ATOL = 1e-10
SUBSETS = list(chain.from_iterable(combinations(PARTS, n) for n in range(len(PARTS) + 1)))


def layer_without(without, d, seed):
    """A layer with normal weights and biases."""
    layer = PartialLSTMLayer(d, without=without).double()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.normal_(generator=generator)
    return layer


def drawn(seed, batch, p, d):
    generator = torch.Generator().manual_seed(seed + 1)
    x = torch.randn(batch, p, d, dtype=torch.float64, generator=generator)
    parts = torch.randn(2, batch, d, dtype=torch.float64, generator=generator)
    return x, LSTMState(*parts)


def literal(layer, x, h, c):
    """Equations (13) to (18) with tanh, one step after another; what is taken away is left out."""
    kernel = layer.kernel
    W_i, W_f, W_c, W_o = np.split(kernel.weight_ih_l0.detach().numpy(), 4)
    R_i, R_f, R_c, R_o = np.split(kernel.weight_hh_l0.detach().numpy(), 4)
    b_i, b_f, b_c, b_o = np.split((kernel.bias_ih_l0 + kernel.bias_hh_l0).detach().numpy(), 4)
    outputs = []
    for x_t in x:
        from_gates = 0 * h if "gates" in layer.without else h
        from_content = 0 * h if "content" in layer.without else h
        i = sigmoid(W_i @ x_t + R_i @ from_gates + b_i)
        f = sigmoid(W_f @ x_t + R_f @ from_gates + b_f)
        o = sigmoid(W_o @ x_t + R_o @ from_gates + b_o)
        candidate = np.tanh(W_c @ x_t + R_c @ from_content + b_c)
        c = i * candidate + f * c
        h = np.tanh(c) if "output" in layer.without else o * np.tanh(c)
        outputs.append(h)
    return np.array(outputs), c


@few_examples
@given(st.sampled_from(SUBSETS), seeds, lengths, widths)
def test_a_part_that_is_taken_away_is_missing_from_the_equations_and_no_other(without, seed, p, d):
    layer = layer_without(without, d, seed)
    x, state = drawn(seed, 2, p, d)
    hidden, last = layer(x, state)
    for row in range(2):
        h, c = literal(layer, x[row].numpy(), state.hidden[row].numpy(), state.cell[row].numpy())
        np.testing.assert_allclose(hidden[row].detach(), h, atol=ATOL, rtol=0)
        np.testing.assert_allclose(last.hidden[row].detach(), h[-1], atol=ATOL, rtol=0)
        np.testing.assert_allclose(last.cell[row].detach(), c, atol=ATOL, rtol=0)


def test_with_all_its_parts_it_is_the_lstm():
    layer, whole = layer_without((), 4, 0), LSTMLayer(4, bias=True, activation="tanh").double()
    whole.load_state_dict(layer.state_dict())
    x, state = drawn(0, 3, 7, 4)
    torch.testing.assert_close(layer(x, state)[0], whole(x, state)[0], rtol=0, atol=ATOL)


def test_with_none_of_its_parts_it_is_the_ablated_lstm_that_is_computed_at_once():
    layer = layer_without(PARTS, 4, 0)
    ablated = AblatedLSTMLayer(4, bias=True, activation="tanh").double()
    enter, forget, candidate, _ = layer.kernel.weight_ih_l0.chunk(4)
    biases = (layer.kernel.bias_ih_l0 + layer.kernel.bias_hh_l0).chunk(4)
    with torch.no_grad():
        ablated.gates.weight.copy_(torch.cat([candidate, enter, forget]))
        ablated.gates.bias.copy_(torch.cat([biases[2], biases[0], biases[1]]))
    x, state = drawn(0, 3, 9, 4)
    expected, _ = ablated(x, AblatedLSTMState(state.cell))
    torch.testing.assert_close(layer(x, state)[0], expected, rtol=0, atol=ATOL)


@pytest.mark.parametrize("without", SUBSETS, ids="-".join)
def test_steps_and_the_whole_sequence_agree_and_the_trace_is_theirs(without):
    layer = layer_without(without, 3, 1)
    x, state = drawn(1, 1, 5, 3)
    hidden, last = layer(x, state)
    trace = layer.trace(x, state)
    torch.testing.assert_close(trace.hidden, hidden, rtol=0, atol=ATOL)
    for t in range(5):
        h, state = layer.step(x[:, t], state)
        torch.testing.assert_close(h, hidden[:, t], rtol=0, atol=ATOL)
        torch.testing.assert_close(state.cell, trace.cell[:, t], rtol=0, atol=ATOL)
    torch.testing.assert_close(state.cell, last.cell, rtol=0, atol=ATOL)
    assert (trace.output_gate == 1).all() == ("output" in without)


@pytest.mark.parametrize("without", SUBSETS, ids="-".join)
def test_from_an_empty_memory_the_cell_is_the_weighted_sum_of_its_trace(without):
    layer, (x, _) = layer_without(without, 3, 2), drawn(2, 2, 6, 3)
    zero = torch.zeros(2, 3, dtype=torch.float64)
    trace = layer.trace(x, LSTMState(zero, zero))
    w = memory_weights(trace.input_gate, trace.forget_gate)
    summed = torch.einsum("btsd,bsd->btd", w, trace.candidate)
    torch.testing.assert_close(summed, trace.cell, rtol=0, atol=ATOL)


@pytest.mark.parametrize("without", SUBSETS, ids="-".join)
def test_what_is_taken_away_gets_no_gradient_and_the_rest_does(without):
    layer, (x, state) = layer_without(without, 3, 3), drawn(3, 2, 6, 3)
    layer(x, state)[0].square().sum().backward()
    enter, forget, candidate, output = layer.kernel.weight_hh_l0.grad.chunk(4)
    gone = {
        "gates": torch.cat([enter, forget]),
        "content": candidate,
        "output": layer.kernel.weight_ih_l0.grad.chunk(4)[3],
    }
    for part, gradient in gone.items():
        assert (gradient == 0).all() == (part in without)
    assert (output == 0).all() == bool({"gates", "output"} & set(without))


@pytest.mark.parametrize(
    ("without", "rows_of_inputs", "rows_of_states"),
    [((), 4, 4), (("content",), 4, 3), (("gates",), 4, 1), (("output",), 3, 3), (PARTS, 3, 0)],
)
def test_the_parameters_that_are_left_are_counted(without, rows_of_inputs, rows_of_states):
    d = 5
    count = PartialLSTMLayer(d, without=without).n_parameters()
    assert count == d * (rows_of_inputs * (d + 1) + rows_of_states * d)


def test_a_part_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match=r"content.*gates.*output"):
        PartialLSTMLayer(3, without=["memory"])
