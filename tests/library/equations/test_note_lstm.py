"""What the note's LSTM and its ablation must satisfy by themselves."""

import numpy as np
import pytest
from equation_cases import few_examples, lengths, seeds, widths
from hypothesis import given

from transformer_lib.equations import note_lstm
from transformer_lib.equations.note_lstm import LSTMParameters

ATOL = 1e-10


@pytest.mark.proves("N13", "N14", "N15", "N17", "N20")
@few_examples
@given(seeds, lengths, widths)
def test_the_ablated_lstm_is_the_lstm_with_its_recurrent_matrices_zero_and_its_output_gate_open(
    seed: int, p: int, d: int
) -> None:
    rng = np.random.default_rng(seed)
    none, x = np.zeros((d, d)), rng.normal(size=(p, d))
    W_cx, W_ix, W_fx = rng.normal(size=(3, d, d))
    theta = LSTMParameters(none, W_cx, none, W_ix, none, W_fx, none, none)
    whole, ablated = note_lstm.lstm(x, theta), note_lstm.ablated_lstm(x, W_cx, W_ix, W_fx)
    c, logistic = np.zeros(d), lambda a: 1 / (1 + np.exp(-a))
    for t in range(p):
        candidate, enter, forget = (logistic(W.dot(x[t])) for W in (W_cx, W_ix, W_fx))
        c = enter * candidate + forget * c
        for states, gate in ((whole, 0.5), (ablated, 1.0)):
            np.testing.assert_allclose(states.c[t], c, atol=ATOL)
            np.testing.assert_allclose(states.h[t], gate * logistic(c), atol=ATOL)
