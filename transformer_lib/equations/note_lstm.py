r"""The LSTM of Thickstun's note, equations (13)-(21), as literal loops over time.

Chapter 4 calls these functions live. Everything is float64 NumPy, and row ``x[t]`` is the note's
column vector :math:`\mathbf{x}_t`, counted from 0. Three things set these formulas apart from common
practice: the logistic :math:`\sigma` in (13) and (18), where most have tanh; no biases; and no word on what
:math:`\mathbf{h}_0` and :math:`\mathbf{c}_0` are. They are zero here unless given, as (19) needs.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float64

from .slides import sigmoid

__all__ = [
    "LSTMParameters",
    "LSTMStates",
    "ablated_lstm",
    "candidate_or_gate",
    "cell_as_weighted_sum",
    "cell_state",
    "hidden_state",
    "lstm",
    "memory_weights",
]


class LSTMParameters(NamedTuple):
    r"""The note's eight matrices, each (d, d): the first letter says what is computed, the second from what.

    Source: N13, N14, N15, N17
    """

    W_ch: Float64[np.ndarray, "d d"]
    W_cx: Float64[np.ndarray, "d d"]
    W_ih: Float64[np.ndarray, "d d"]
    W_ix: Float64[np.ndarray, "d d"]
    W_fh: Float64[np.ndarray, "d d"]
    W_fx: Float64[np.ndarray, "d d"]
    W_oh: Float64[np.ndarray, "d d"]
    W_ox: Float64[np.ndarray, "d d"]


class LSTMStates(NamedTuple):
    r"""What the LSTM computes at every step, row t of each array at step t.

    Source: N13, N14, N15, N16, N17, N18
    """

    c_tilde: Float64[np.ndarray, "p d"]
    i: Float64[np.ndarray, "p d"]
    f: Float64[np.ndarray, "p d"]
    c: Float64[np.ndarray, "p d"]
    o: Float64[np.ndarray, "p d"]
    h: Float64[np.ndarray, "p d"]


def candidate_or_gate(
    W_h: Float64[np.ndarray, "d d"],
    W_x: Float64[np.ndarray, "d d"],
    h_previous: Float64[np.ndarray, "d"],
    x_t: Float64[np.ndarray, "d"],
) -> Float64[np.ndarray, "d"]:
    r"""The candidate and the three gates, which differ only in their matrices.

    .. math::

        \tilde{\mathbf{c}}_t &= \sigma(W_{ch}\mathbf{h}_{t-1} + W_{cx}\mathbf{x}_t), &
        \mathbf{i}_t &= \sigma(W_{ih}\mathbf{h}_{t-1} + W_{ix}\mathbf{x}_t), \\
        \mathbf{f}_t &= \sigma(W_{fh}\mathbf{h}_{t-1} + W_{fx}\mathbf{x}_t), &
        \mathbf{o}_t &= \sigma(W_{oh}\mathbf{h}_{t-1} + W_{ox}\mathbf{x}_t)

    Source: N13, N14, N15, N17
    """
    return sigmoid(W_h @ h_previous + W_x @ x_t)


def cell_state(
    i_t: Float64[np.ndarray, "d"],
    c_tilde_t: Float64[np.ndarray, "d"],
    f_t: Float64[np.ndarray, "d"],
    c_previous: Float64[np.ndarray, "d"],
) -> Float64[np.ndarray, "d"]:
    r"""The memory: some of the candidate comes in, some of the past stays.

    .. math::

        \mathbf{c}_t = \mathbf{i}_t \circ \tilde{\mathbf{c}}_t + \mathbf{f}_t \circ \mathbf{c}_{t-1}

    Source: N16, N21
    """
    return i_t * c_tilde_t + f_t * c_previous


def hidden_state(o_t: Float64[np.ndarray, "d"], c_t: Float64[np.ndarray, "d"]) -> Float64[np.ndarray, "d"]:
    r"""What the LSTM shows of its memory.

    .. math::

        \mathbf{h}_t = \mathbf{o}_t \circ \sigma(\mathbf{c}_t)

    Source: N18
    """
    return o_t * sigmoid(c_t)


def lstm(
    x: Float64[np.ndarray, "p d"],
    theta: LSTMParameters,
    h_0: Float64[np.ndarray, "d"] | None = None,
    c_0: Float64[np.ndarray, "d"] | None = None,
) -> LSTMStates:
    r"""The function :math:`g_\theta(\mathbf{x}) = \mathbf{h}`, with all that leads to it.

    Source: N13, N14, N15, N16, N17, N18
    """
    p, d = x.shape
    states = LSTMStates(*(np.zeros((p, d)) for _ in LSTMStates._fields))
    h = np.zeros(d) if h_0 is None else h_0
    c = np.zeros(d) if c_0 is None else c_0
    for t in range(p):
        states.c_tilde[t] = candidate_or_gate(theta.W_ch, theta.W_cx, h, x[t])
        states.i[t] = candidate_or_gate(theta.W_ih, theta.W_ix, h, x[t])
        states.f[t] = candidate_or_gate(theta.W_fh, theta.W_fx, h, x[t])
        states.c[t] = c = cell_state(states.i[t], states.c_tilde[t], states.f[t], c)
        states.o[t] = candidate_or_gate(theta.W_oh, theta.W_ox, h, x[t])
        states.h[t] = h = hidden_state(states.o[t], c)
    return states


def memory_weights(
    i: Float64[np.ndarray, "p d"], f: Float64[np.ndarray, "p d"]
) -> Float64[np.ndarray, "p p d"]:
    r"""How much of the candidate of step s is still in the memory at step t; nothing for s > t.

    .. math::

        \mathbf{w}_{t,s} = \mathbf{i}_s \prod_{k=s+1}^t \mathbf{f}_k

    The products are element by element.

    Source: N18a
    """
    p, d = i.shape
    w = np.zeros((p, p, d))
    for t in range(p):
        for s in range(t + 1):
            w[t, s] = i[s]
            for k in range(s + 1, t + 1):
                w[t, s] = w[t, s] * f[k]
    return w


def cell_as_weighted_sum(
    w: Float64[np.ndarray, "p p d"], c_tilde: Float64[np.ndarray, "p d"]
) -> Float64[np.ndarray, "p d"]:
    r"""The memory as an element-wise weighted sum of the candidates.

    .. math::

        \mathbf{c}_t
        = \sum_{s=1}^t \Big(\mathbf{i}_s \circ \prod_{k=s+1}^t \mathbf{f}_k\Big) \circ \tilde{\mathbf{c}}_s
        = \sum_{s=1}^t \mathbf{w}_{t,s} \circ \tilde{\mathbf{c}}_s

    The note does not say that this needs :math:`\mathbf{c}_0 = 0`. In general
    :math:`\big(\prod_{k=1}^t \mathbf{f}_k\big) \circ \mathbf{c}_0` is to be added.

    Source: N19
    """
    p, d = c_tilde.shape
    c = np.zeros((p, d))
    for t in range(p):
        for s in range(t + 1):
            c[t] += w[t, s] * c_tilde[s]
    return c


def ablated_lstm(
    x: Float64[np.ndarray, "p d"],
    W_cx: Float64[np.ndarray, "d d"],
    W_ix: Float64[np.ndarray, "d d"],
    W_fx: Float64[np.ndarray, "d d"],
    c_0: Float64[np.ndarray, "d"] | None = None,
) -> LSTMStates:
    r"""The LSTM without recurrence in the candidate and the gates, and without an output gate.

    .. math::

        \tilde{\mathbf{c}}_t = \sigma(W_{cx}\mathbf{x}_t), \quad
        \mathbf{i}_t = \sigma(W_{ix}\mathbf{x}_t), \quad
        \mathbf{f}_t = \sigma(W_{fx}\mathbf{x}_t), \\
        \mathbf{c}_t = \mathbf{i}_t \circ \tilde{\mathbf{c}}_t + \mathbf{f}_t \circ \mathbf{c}_{t-1}, \quad
        \mathbf{h}_t = \sigma(\mathbf{c}_t)

    The output gate of the states returned is 1 throughout.

    Source: N20, N21
    """
    p, d = x.shape
    states = LSTMStates(*(np.zeros((p, d)) for _ in LSTMStates._fields))
    states.o[:] = 1.0
    c = np.zeros(d) if c_0 is None else c_0
    for t in range(p):
        states.c_tilde[t] = sigmoid(W_cx @ x[t])
        states.i[t] = sigmoid(W_ix @ x[t])
        states.f[t] = sigmoid(W_fx @ x[t])
        states.c[t] = c = cell_state(states.i[t], states.c_tilde[t], states.f[t], c)
        states.h[t] = sigmoid(c)
    return states
