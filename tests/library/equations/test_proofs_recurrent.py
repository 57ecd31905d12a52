"""The recurrent models are the note's LSTM and the slides' RNN, the attention decoder Garcia's; to 1e-10."""

import numpy as np
import pytest
import torch
from equation_cases import few_examples, lengths, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note_lstm, papers_block, slides
from transformer_lib.equations.note_lstm import LSTMParameters
from transformer_lib.recurrent.cells import (
    AblatedLSTMLayer,
    AblatedLSTMState,
    LSTMLayer,
    LSTMState,
    RNNLayer,
    RNNState,
    memory_weights,
)
from transformer_lib.recurrent.language_model import RNN, RecurrentConfig
from transformer_lib.recurrent.linear_attention import LinearAttention, positive_features

ATOL = 1e-10


def assert_equal(ours: torch.Tensor, literal: np.ndarray) -> None:
    np.testing.assert_allclose(ours.detach().numpy(), literal, atol=ATOL, rtol=0)


def random_lstm(rng: np.random.Generator, d: int) -> LSTMParameters:
    return LSTMParameters(*rng.normal(size=(8, d, d)))


def note_layer(theta: LSTMParameters, activation: str = "sigmoid") -> LSTMLayer:
    """Our layer with the note's matrices; PyTorch stacks them as input, forget, candidate, output."""
    layer = LSTMLayer(len(theta.W_ch), bias=False, activation=activation).double()
    with torch.no_grad():
        layer.kernel.weight_ih_l0.copy_(
            torch.from_numpy(np.concatenate([theta.W_ix, theta.W_fx, theta.W_cx, theta.W_ox]))
        )
        layer.kernel.weight_hh_l0.copy_(
            torch.from_numpy(np.concatenate([theta.W_ih, theta.W_fh, theta.W_ch, theta.W_oh]))
        )
    return layer


def ablated_layer(W_cx: np.ndarray, W_ix: np.ndarray, W_fx: np.ndarray) -> AblatedLSTMLayer:
    layer = AblatedLSTMLayer(len(W_cx), bias=False, activation="sigmoid").double()
    with torch.no_grad():
        layer.gates.weight.copy_(torch.from_numpy(np.concatenate([W_cx, W_ix, W_fx])))
    return layer


def in_batch(*arrays: np.ndarray) -> tuple[torch.Tensor, ...]:
    return tuple(torch.from_numpy(array)[None] for array in arrays)


def assert_trace_equals(trace, states: note_lstm.LSTMStates) -> None:
    for ours, literal in zip(trace, (states.c_tilde, states.i, states.f, states.c, states.o, states.h)):
        assert_equal(ours[0], literal)


@pytest.mark.proves("N13", "N14", "N15", "N16", "N17", "N18")
@few_examples
@given(seeds, lengths, widths, st.booleans())
def test_the_logistic_lstm_without_biases_is_the_note_s(seed: int, p: int, d: int, from_zero: bool) -> None:
    rng = np.random.default_rng(seed)
    theta, x = random_lstm(rng, d), rng.normal(size=(p, d))
    h_0, c_0 = np.zeros((2, d)) if from_zero else rng.normal(size=(2, d))
    states = note_lstm.lstm(x, theta, h_0, c_0)
    layer = note_layer(theta)
    hidden, last = layer(*in_batch(x), LSTMState(*in_batch(h_0, c_0)))
    assert_equal(hidden[0], states.h)
    assert_equal(last[0][0], states.h[-1])
    assert_equal(last[1][0], states.c[-1])
    assert_trace_equals(layer.trace(*in_batch(x), LSTMState(*in_batch(h_0, c_0))), states)


@pytest.mark.proves("N13", "N18")
@few_examples
@given(seeds, lengths, widths)
def test_the_usual_lstm_is_the_note_s_with_tanh_in_13_and_18_and_with_no_other_change(
    seed: int, p: int, d: int
) -> None:
    rng = np.random.default_rng(seed)
    theta, x = random_lstm(rng, d), rng.normal(size=(p, d))
    hidden, _ = note_layer(theta, "tanh")(*in_batch(x), LSTMState(*in_batch(*np.zeros((2, d)))))
    assert_equal(hidden[0], tanh_lstm(x, theta))
    logistic = note_lstm.lstm(x, theta).h
    assert np.abs(hidden[0].detach().numpy() - logistic).max() > 1e-3


def tanh_lstm(x: np.ndarray, theta: LSTMParameters) -> np.ndarray:
    """The note's equations with tanh(a) = 2 sigma(2a) - 1 for the candidate and for the memory shown."""
    h = c = np.zeros(x.shape[1])
    outputs = []
    for x_t in x:
        c_tilde = 2 * note_lstm.candidate_or_gate(2 * theta.W_ch, 2 * theta.W_cx, h, x_t) - 1
        i = note_lstm.candidate_or_gate(theta.W_ih, theta.W_ix, h, x_t)
        f = note_lstm.candidate_or_gate(theta.W_fh, theta.W_fx, h, x_t)
        o = note_lstm.candidate_or_gate(theta.W_oh, theta.W_ox, h, x_t)
        c = note_lstm.cell_state(i, c_tilde, f, c)
        h = 2 * note_lstm.hidden_state(o, 2 * c) - o
        outputs.append(h)
    return np.array(outputs)


@pytest.mark.proves("N20", "N21")
@few_examples
@given(seeds, st.integers(1, 20), widths)
def test_the_ablated_lstm_computed_at_once_is_the_note_s_recurrence(seed: int, p: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    W, x, c_0 = rng.normal(size=(3, d, d)), rng.normal(size=(p, d)), rng.normal(size=d)
    states = note_lstm.ablated_lstm(x, *W, c_0)
    layer = ablated_layer(*W)
    hidden, last = layer(*in_batch(x), AblatedLSTMState(*in_batch(c_0)))
    assert_equal(hidden[0], states.h)
    assert_equal(last[0][0], states.c[-1])
    assert_trace_equals(layer.trace(*in_batch(x), AblatedLSTMState(*in_batch(c_0))), states)


@pytest.mark.proves("N18a", "N19")
@few_examples
@given(seeds, lengths, widths, st.sampled_from(["lstm", "tanh", "ablated"]), st.booleans())
def test_the_memory_is_the_weighted_sum_exactly_when_it_starts_at_zero(
    seed: int, p: int, d: int, kind: str, from_zero: bool
) -> None:
    rng = np.random.default_rng(seed)
    x, h_0 = rng.normal(size=(p, d)), rng.normal(size=d)
    c_0 = np.zeros(d) if from_zero else rng.normal(size=d)
    if kind == "ablated":
        layer, state = ablated_layer(*rng.normal(size=(3, d, d))), AblatedLSTMState(*in_batch(c_0))
    else:
        layer = note_layer(random_lstm(rng, d), "tanh" if kind == "tanh" else "sigmoid")
        state = LSTMState(*in_batch(h_0, c_0))
    trace = layer.trace(*in_batch(x), state)
    i, f, c_tilde = (
        part[0].detach().numpy() for part in (trace.input_gate, trace.forget_gate, trace.candidate)
    )
    w = note_lstm.memory_weights(i, f)
    assert_equal(memory_weights(trace.input_gate, trace.forget_gate)[0], w)
    weighted_sum = note_lstm.cell_as_weighted_sum(w, c_tilde)
    ours = torch.einsum("btsd,bsd->btd", torch.from_numpy(w)[None], trace.candidate)
    assert_equal(ours[0], weighted_sum)
    cell = trace.cell[0].detach().numpy()
    np.testing.assert_allclose(cell - np.cumprod(f, axis=0) * c_0, weighted_sum, atol=ATOL)
    assert (np.abs(cell - weighted_sum).max() < ATOL) == from_zero


def test_an_earlier_item_can_weigh_more_than_a_later_one() -> None:
    """The note's step from :math:`f \\le 1` to monotone weights forgets the input gates."""
    i, f = torch.tensor([[[1.0], [0.1]]]), torch.full((1, 2, 1), 0.9)
    earlier, later = memory_weights(i, f)[0, 1, :, 0].tolist()
    assert (earlier, later) == (pytest.approx(0.9), pytest.approx(0.1))


@few_examples
@given(seeds, st.integers(1, 12), st.floats(0.01, 0.99))
def test_memory_weights_decay_at_least_as_fast_as_the_most_open_forget_gate(
    seed: int, p: int, epsilon: float
) -> None:
    generator = torch.Generator().manual_seed(seed)
    i, f = torch.rand(2, 1, p, 3, dtype=torch.float64, generator=generator)
    w = memory_weights(i, (1 - epsilon) * f)[0]
    for t in range(p):
        for s in range(p):
            bound = (1 - epsilon) ** (t - s) if s <= t else 0.0
            assert (w[t, s] <= bound * (1 + 1e-12)).all() and (w[t, s] >= 0).all()


@pytest.mark.proves("S19", "S20", "S21")
@few_examples
@given(seeds, lengths, widths, st.integers(2, 5))
def test_the_rnn_is_the_slides_reading_a_start_token_first(seed: int, p: int, k: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    config = RecurrentConfig(
        d, d_model=k, cell_activation="sigmoid", learned_initial_state=True, tie_embeddings=False
    )
    model = RNN(config).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.from_numpy(rng.normal(size=parameter.shape)))
    kernel = model.stack.layers[0].kernel
    W_init = model.stack.initial[0, 0].detach().numpy()
    c = (kernel.bias_ih_l0 + kernel.bias_hh_l0).detach().numpy()
    W_h = kernel.weight_hh_l0.detach().numpy()
    W_x = (kernel.weight_ih_l0 @ model.token_embedding.weight.T).detach().numpy()
    W_o, b = model.head.weight.detach().numpy(), model.head_bias.detach().numpy()

    tokens = rng.integers(d, size=p)
    h = slides.rnn_states(slides.one_hot(tokens, d), W_init, c, W_h, W_x)
    assert_equal(model.init_state(1)[0][0][0], slides.rnn_initial_state(W_init))
    hidden, _ = model.stack(model.token_embedding(torch.from_numpy(tokens)[None]), model.init_state(1))
    assert_equal(hidden[0], h[1:])
    logits = model.logits(torch.from_numpy(tokens)[None])[0]
    for t in range(1, p + 1):
        assert_equal(logits[t - 1], slides.rnn_output(h[t], W_o, b))

    padded = np.concatenate([[model.start_token], tokens[:-1]])
    h = slides.rnn_states(slides.one_hot(padded, d), W_init, c, W_h, W_x)
    f = [slides.rnn_output(h[t], W_o, b) for t in range(1, p + 1)]
    log_probs = [np.log(slides.categorical(f_t)[token]) for f_t, token in zip(f, tokens)]
    assert_equal(model.conditional_log_probs(torch.from_numpy(tokens)[None])[0], np.array(log_probs))


@pytest.mark.proves("N13", "S20")
@few_examples
@given(seeds, lengths, widths)
def test_the_note_s_simple_rnn_13_is_the_slides_rnn_without_a_bias(seed: int, p: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    W_h, W_x = rng.normal(size=(2, d, d))
    x, h = rng.normal(size=(p, d)), rng.normal(size=d)
    layer = RNNLayer(d, bias=False, activation="sigmoid").double()
    with torch.no_grad():
        layer.kernel.weight_ih_l0.copy_(torch.from_numpy(W_x))
        layer.kernel.weight_hh_l0.copy_(torch.from_numpy(W_h))
    hidden, _ = layer(*in_batch(x), RNNState(*in_batch(h)))
    for t in range(p):
        slides_h = slides.rnn_state(h, x[t], np.zeros(d), W_h, W_x)
        h = note_lstm.candidate_or_gate(W_h, W_x, h, x[t])
        np.testing.assert_allclose(slides_h, h, atol=ATOL)
        assert_equal(hidden[0, t], h)


@few_examples
@given(seeds, st.integers(2, 9), widths)
def test_a_weight_fades_with_time_and_what_the_forget_gates_leave_with_distance(
    seed: int, p: int, d: int
) -> None:
    """For a fixed item the weights fall with time; with equal input gates they also fall with distance."""
    generator = torch.Generator().manual_seed(seed)
    i, f = torch.rand(2, 1, p, d, dtype=torch.float64, generator=generator)
    w, left = memory_weights(i, f)[0], memory_weights(torch.ones_like(i), f)[0]
    for s in range(p):
        assert (w[s + 1 :, s] <= w[s:-1, s]).all()
    for t in range(p):
        assert (left[t, :t] <= left[t, 1 : t + 1]).all()


@pytest.mark.proves("katharopoulos2020", "yang2024")
@few_examples
@given(seeds, lengths, widths, st.booleans())
def test_linear_attention_as_a_sum_is_linear_attention_as_a_memory_and_the_library_s(
    seed: int, p: int, d: int, gated: bool
) -> None:
    rng = np.random.default_rng(seed)
    layer, x = LinearAttention(d, gated=gated).double(), rng.normal(size=(p, d))
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(torch.from_numpy(rng.normal(size=parameter.shape)))
    W_q, W_k, W_v = np.split(layer.inputs.weight.detach().numpy(), 3)
    f = np.ones(p)
    if layer.forget is not None:
        f = slides.sigmoid(x @ layer.forget.weight.detach().numpy()[0] + layer.forget.bias.item())
    parts = x @ W_q.T, x @ W_k.T, x @ W_v.T, f
    y = papers_block.linear_attention(*parts)
    np.testing.assert_allclose(papers_block.memory_attention(*parts), y, atol=ATOL, rtol=0)
    assert_equal(layer(torch.from_numpy(x)[None])[0], y @ layer.output.weight.detach().numpy().T)
    a = papers_block.linear_attention_weights(*parts[:2], f)
    assert_equal(layer.weights(torch.from_numpy(x)[None])[0, 0], a / a.sum(-1, keepdims=True))
    assert_equal(positive_features(torch.from_numpy(x[0])), papers_block.positive_features(x[0]))
