r"""Attention over long texts, from the literature, as literally as the five sources.

Float64 NumPy: a softmax that reads its keys tile by tile and the numbers that it moves, and a cache in whole
numbers of a few bits. Chapter 17 teaches all of them.
"""

import math

import numpy as np
from jaxtyping import Float64, Int64

from transformer_lib.equations.note import softmax

__all__ = ["absmax_codes", "flash_attention", "moved_by_tiles", "moved_without_tiles", "standard_attention"]


def standard_attention(
    Q: Float64[np.ndarray, "N d"], K: Float64[np.ndarray, "N d"], V: Float64[np.ndarray, "N d_v"]
) -> Float64[np.ndarray, "N d_v"]:
    r"""One causal head whose scores and weights are whole matrices.

    .. math::

        S = Q K^T, \qquad P = \mathrm{softmax}(S), \qquad O = P V

    Scores of later keys are minus infinity. As in the paper's section 2.2, nothing is divided by the root of
    the head's width; the mask is that of its appendix.

    Source: Dao et al. (2022), algorithm 0
    """
    N = len(Q)
    S = Q @ K.T
    S[np.triu_indices(N, k=1)] = -np.inf
    P = np.stack([softmax(S[i]) for i in range(N)])
    return P @ V


def flash_attention(
    Q: Float64[np.ndarray, "N d"],
    K: Float64[np.ndarray, "N d"],
    V: Float64[np.ndarray, "N d_v"],
    B_r: int,
    B_c: int,
) -> Float64[np.ndarray, "N d_v"]:
    r"""The same output from tiles of :math:`B_r` queries and :math:`B_c` keys; no larger matrix exists.

    For each tile of keys, with what was there before marked by a bar,

    .. math::

        m = \max(\bar m, \mathrm{rowmax}(S)), \quad P = e^{S - m}, \quad
        \ell = e^{\bar m - m} \bar\ell + \mathrm{rowsum}(P), \quad
        O = e^{\bar m - m} \bar O + P V_{tile}

    and at the end the rows of O are divided by :math:`\ell`. Tiles that hold later keys only are not read.

    Source: Dao et al. (2022), algorithm 1, in the order of Dao (2023), algorithm 1: queries outside
    """
    N = len(Q)
    output = np.zeros((N, V.shape[1]))
    for r in range(0, N, B_r):
        rows = np.arange(r, min(r + B_r, N))
        m = np.full(len(rows), -np.inf)
        ell = np.zeros(len(rows))
        O_r = np.zeros((len(rows), V.shape[1]))
        for c in range(0, rows[-1] + 1, B_c):
            columns = np.arange(c, min(c + B_c, N))
            S = Q[rows] @ K[columns].T
            S[columns[None, :] > rows[:, None]] = -np.inf
            m_new = np.maximum(m, S.max(axis=1))
            # A row may see nothing of a later tile; its maximum is then that of the tiles before.
            P = np.exp(S - m_new[:, None])
            shrink = np.exp(m - m_new)
            ell = shrink * ell + P.sum(axis=1)
            O_r = shrink[:, None] * O_r + P @ V[columns]
            m = m_new
        output[rows] = O_r / ell[:, None]
    return output


def moved_without_tiles(N: int, d: int) -> int:
    r"""Numbers that travel between the large memory and the processor, if S and P are whole matrices.

    .. math::

        \underbrace{2Nd + N^2}_{S = QK^T} + \underbrace{2N^2}_{\mathrm{softmax}}
        + \underbrace{N^2 + 2Nd}_{O = PV} = 4N^2 + 4Nd

    Every step reads its inputs and writes its output once, as if the small memory held what it works on.

    Source: Dao et al. (2022), algorithm 0 and theorem 2
    """
    return 4 * N * N + 4 * N * d


def moved_by_tiles(N: int, d: int, B_r: int, B_c: int) -> int:
    r"""The same with tiles: queries in and outputs out once, keys and values once for each tile of queries.

    .. math::

        2Nd + 2d \sum_{\text{tiles of queries}} \text{keys read}

    A causal head reads keys up to the end of the tile that holds its last query. Without a mask the sum is
    :math:`N \lceil N / B_r \rceil`.

    Source: Dao et al. (2022), theorem 2, in the order of Dao (2023), algorithm 1
    """
    keys = 0
    for r in range(0, N, B_r):
        last = min(r + B_r, N)
        keys += min(N, B_c * math.ceil(last / B_c))
    return 2 * N * d + 2 * d * keys


def absmax_codes(x: Float64[np.ndarray, "d"], bits: int) -> tuple[Int64[np.ndarray, "d"], float]:
    r"""A vector as whole numbers of a few bits, and the size of one step.

    .. math::

        s = \frac{\max_i |x_i|}{2^{b-1} - 1}, \qquad c_i = \mathrm{round}(x_i / s), \qquad
        x_i \approx s\, c_i

    A vector of zeros has codes 0 and a step of 0.

    Source: Dettmers et al. (2022), section 2.1
    """
    most = 2 ** (bits - 1) - 1
    s = float(np.abs(x).max()) / most
    if s == 0:
        return np.zeros(len(x), dtype=np.int64), 0.0
    return np.round(x / s).astype(np.int64), s
