r"""Positions as data: the note's equations (10)-(12) and its two unnumbered lines, N10, N11, N12.

Chapters 9 and 13 call these functions live. Everything is float64 NumPy in the note's letters: row ``x[k]``
is :math:`\mathbf{x}_k`, and :math:`W^T\mathbf{x}_k` is ``W.T @ x[k]``. The slides print (10) too.

For the sinusoids the *number* of a position matters, not only its place in an array. The note counts from 1
and practice from 0; as everywhere in this package, the first is position 0 here. Counting from 1 turns every
row by the same rotation, `tx.offset_map` with an offset of 1.
"""

import numpy as np
from jaxtyping import Float64

from .note import relu

__all__ = [
    "fixed_positions",
    "gehring_positions",
    "joint_positions",
    "one_hot_extension",
    "one_hot_positions",
    "sinusoids",
]


def one_hot_positions(p: int) -> Float64[np.ndarray, "p p"]:
    r"""The standard basis vectors :math:`\mathbf{e}_1 \dots \mathbf{e}_p` of :math:`\mathbb{R}^p`, as rows.

    Source: N11a
    """
    e = np.zeros((p, p))
    for k in range(p):
        e[k, k] = 1.0
    return e


def one_hot_extension(x: Float64[np.ndarray, "p d"]) -> Float64[np.ndarray, "p d_and_p"]:
    r"""Each input with its position appended as one-hot features, d + p numbers a row.

    .. math::

        \mathbf{x}'_i = (\mathbf{x}_i, \mathbf{e}_i)

    Source: N11a
    """
    p, d = x.shape
    e = one_hot_positions(p)
    extended = np.zeros((p, d + p))
    for i in range(p):
        extended[i] = np.concatenate([x[i], e[i]])
    return extended


def joint_positions(
    x: Float64[np.ndarray, "p d_in"],
    W_x: Float64[np.ndarray, "d_in m"],
    W_e: Float64[np.ndarray, "p m"],
    W_z: Float64[np.ndarray, "m d"],
) -> Float64[np.ndarray, "p d"]:
    r"""A learned representation of input and position together: they meet inside the ReLU.

    .. math::

        \mathbf{z}_k = W_z^T \mathrm{ReLU}(W_x^T \mathbf{x}_k + W_e^T \mathbf{e}_k)

    The note has as many input features as outputs, d; only the shape of :math:`W_x` says so.

    Source: N10, S14
    """
    e = one_hot_positions(len(x))
    z = np.zeros((len(x), W_z.shape[1]))
    for k in range(len(x)):
        z[k] = W_z.T @ relu(W_x.T @ x[k] + W_e.T @ e[k])
    return z


def gehring_positions(
    x: Float64[np.ndarray, "p d_in"],
    W_x: Float64[np.ndarray, "d_in m"],
    W_e: Float64[np.ndarray, "p m"],
    W_zx: Float64[np.ndarray, "m d"],
    W_ze: Float64[np.ndarray, "m d"],
) -> Float64[np.ndarray, "p d"]:
    r"""Separate representations of input and position, added.

    .. math::

        \mathbf{z}_k = W_{zx}^T \mathrm{ReLU}(W_x^T \mathbf{x}_k) + W_{ze}^T \mathrm{ReLU}(W_e^T \mathbf{e}_k)

    Gehring et al. (2017), section 3.1, add two learned vectors, without the ReLUs.

    Source: N11
    """
    e = one_hot_positions(len(x))
    z = np.zeros((len(x), W_zx.shape[1]))
    for k in range(len(x)):
        z[k] = W_zx.T @ relu(W_x.T @ x[k]) + W_ze.T @ relu(W_e.T @ e[k])
    return z


def sinusoids(p: int, d: int) -> Float64[np.ndarray, "p d"]:
    r"""The table of fixed positions, from wavelength :math:`2\pi` on the left to :math:`2\pi \cdot 10000`.

    .. math::

        \mathbf{p}_{k,2i} = \sin\left(\frac{k}{10000^{2i/d}}\right), \qquad
        \mathbf{p}_{k,2i+1} = \cos\left(\frac{k}{10000^{2i/d}}\right)

    Columns count from 0, in the note too. Where d is odd the last sine has no cosine.

    Source: N11b
    """
    table = np.zeros((p, d))
    for k in range(p):
        for column in range(d):
            i = column // 2
            angle = k / 10000 ** (2 * i / d)
            wave = np.sin if column % 2 == 0 else np.cos
            table[k, column] = wave(angle)
    return table


def fixed_positions(
    x: Float64[np.ndarray, "p d_in"],
    W_x: Float64[np.ndarray, "d_in m"],
    W_zx: Float64[np.ndarray, "m d"],
    p: Float64[np.ndarray, "p d"],
) -> Float64[np.ndarray, "p d"]:
    r"""A learned representation of each input, with the fixed one of its position added.

    .. math::

        \mathbf{z}_k = W_{zx}^T \mathrm{ReLU}(W_x^T \mathbf{x}_k) + \mathbf{p}_k

    The note prints :math:`\mathbf{x}_1` and the whole table :math:`\mathbf{p}`; the k-th of each is meant.
    Vaswani et al. (2017) have a linear embedding in place of the ReLU network, and multiply it by
    :math:`\sqrt{d}`.

    Source: N12
    """
    z = np.zeros((len(x), W_zx.shape[1]))
    for k in range(len(x)):
        z[k] = W_zx.T @ relu(W_x.T @ x[k]) + p[k]
    return z
