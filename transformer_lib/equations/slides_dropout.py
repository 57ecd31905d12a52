r"""The block with dropout, as Thickstun's slides print it, S15, S16, S17, S18.

Chapter 12 calls these functions live. Dropout is random; given its *mask*, it is a function like any other.
So every function here takes the masks: arrays of zeros and ones of the shape that is dropped from. The slides
do not define Dropout. This is the inverted form that libraries have, which makes up for the zeros at once, so
that nothing changes when the model is used.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float64

from .note import BlockParameters, attention_weights, combined_heads, layer_norm, queries_keys_values, relu

__all__ = [
    "BlockMasks",
    "dropout",
    "dropped_attention_weights",
    "dropped_feed_forward",
    "dropped_residual_layer_norm",
    "transformer_block",
]


class BlockMasks(NamedTuple):
    r"""What the four dropouts of a block keep (1) and drop (0).

    Shapes: ``weights`` is (H, p, p), ``attended`` (p, d), ``inner`` (p, m) and ``output`` (p, d).

    Source: S15, S16, S17, S18
    """

    weights: Float64[np.ndarray, "H p p"]
    attended: Float64[np.ndarray, "p d"]
    inner: Float64[np.ndarray, "p m"]
    output: Float64[np.ndarray, "p d"]


def dropout(
    a: Float64[np.ndarray, "*shape"], mask: Float64[np.ndarray, "*shape"], rate: float
) -> Float64[np.ndarray, "*shape"]:
    r"""Zero what the mask drops, and scale what it keeps so that the mean over masks is a.

    .. math::

        \mathrm{Dropout}(a)_l = \frac{m_l\, a_l}{1 - \mathrm{rate}}, \qquad
        m_l \sim \mathrm{Bernoulli}(1 - \mathrm{rate})

    Source: Srivastava et al. (2014), sections 4 and 10 (for the scale while training); S15, S16, S17, S18
    """
    return mask * a / (1.0 - rate)


def dropped_attention_weights(
    Q: Float64[np.ndarray, "H p k"],
    K: Float64[np.ndarray, "H p k"],
    mask: Float64[np.ndarray, "H p p"],
    rate: float,
) -> Float64[np.ndarray, "H p p"]:
    r"""Attention weights of which some are dropped; the rows sum to 1 no longer.

    .. math::

        \alpha_{i,j}^{(h)} = \mathrm{Dropout}\left( \mathrm{softmax}_j
        \left( \frac{\langle Q^{(h)}(\mathbf{x}_i), K^{(h)}(\mathbf{x}_j) \rangle}{\sqrt{k}} \right) \right)

    Source: S15
    """
    return dropout(attention_weights(Q, K), mask, rate)


def dropped_residual_layer_norm(
    x: Float64[np.ndarray, "p d"],
    update: Float64[np.ndarray, "p d"],
    mask: Float64[np.ndarray, "p d"],
    rate: float,
    gamma: float | Float64[np.ndarray, "d"],
    beta: float | Float64[np.ndarray, "d"],
) -> Float64[np.ndarray, "p d"]:
    r"""Drop from the update, add it to its input, and normalize position by position.

    .. math::

        \mathbf{u}_i
        &= \mathrm{LayerNorm}(\mathbf{x}_i + \mathrm{Dropout}(\mathbf{u}'_i); \gamma_1, \beta_1) \\
        \mathbf{z}_i
        &= \mathrm{LayerNorm}(\mathbf{u}_i + \mathrm{Dropout}(\mathbf{z}'_i); \gamma_2, \beta_2)

    Source: S16, S18
    """
    p, d = x.shape
    u = np.zeros((p, d))
    for i in range(p):
        u[i] = layer_norm(x[i] + dropout(update[i], mask[i], rate), gamma, beta)
    return u


def dropped_feed_forward(
    u: Float64[np.ndarray, "p d"],
    W_1: Float64[np.ndarray, "d m"],
    W_2: Float64[np.ndarray, "m d"],
    mask: Float64[np.ndarray, "p m"],
    rate: float,
) -> Float64[np.ndarray, "p d"]:
    r"""The ReLU network with some of its inner activations dropped.

    .. math::

        \mathbf{z}'_i = W_2^T \mathrm{Dropout}(\mathrm{ReLU}(W_1^T \mathbf{u}_i))

    Source: S17
    """
    p, d = u.shape
    z_prime = np.zeros((p, d))
    for i in range(p):
        z_prime[i] = W_2.T @ dropout(relu(W_1.T @ u[i]), mask[i], rate)
    return z_prime


def transformer_block(
    x: Float64[np.ndarray, "p d"], theta: BlockParameters, masks: BlockMasks, rate: float
) -> Float64[np.ndarray, "p d"]:
    r"""The note's block with dropout in its four places.

    Source: S7, S9, S15, S16, S17, S18
    """
    Q, K, V = queries_keys_values(x, theta.W_q, theta.W_k, theta.W_v)
    alpha = dropped_attention_weights(Q, K, masks.weights, rate)
    u_prime = combined_heads(alpha, V, theta.W_c)
    u = dropped_residual_layer_norm(x, u_prime, masks.attended, rate, theta.gamma_1, theta.beta_1)
    z_prime = dropped_feed_forward(u, theta.W_1, theta.W_2, masks.inner, rate)
    return dropped_residual_layer_norm(u, z_prime, masks.output, rate, theta.gamma_2, theta.beta_2)
