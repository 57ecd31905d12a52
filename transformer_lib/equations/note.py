r"""The Transformer block of Thickstun's note, equations (1)-(9), as literal loops over its indices.

Chapters 5, 6, 7, 10, 11 and 12 call these functions live, and tests prove the PyTorch modules equal to them.
Everything is float64 NumPy. A collection of :math:`p` objects with :math:`d` features is an array whose row
``x[i]`` is the note's column vector :math:`\mathbf{x}_i`, so the note's :math:`W^T\mathbf{x}_i` is
``W.T @ x[i]``. Indices run from 0 here and from 1 in the note. Heads come first: ``Q[h, i]`` is
:math:`Q^{(h)}(\mathbf{x}_i)`. The slides print the same block, so the functions carry both sets of ids.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64

__all__ = [
    "BlockParameters",
    "attention_weights",
    "combined_heads",
    "feed_forward",
    "layer_norm",
    "log_linear_head",
    "mean_and_deviation",
    "queries_keys_values",
    "relu",
    "residual_layer_norm",
    "softmax",
    "transformer",
    "transformer_block",
]


class BlockParameters(NamedTuple):
    r"""The parameters :math:`\theta` of one block, under the note's names.

    Shapes: ``W_q, W_k, W_v`` are (H, d, k); ``W_c`` is (H, k, d); ``W_1`` is (d, m); ``W_2`` is (m, d); the
    gains :math:`\gamma` and biases :math:`\beta` are numbers, as the note's block has them, or d-vectors,
    as its definition of LayerNorm has them.

    Source: N1, N2, N3, N4, N5, N6
    """

    W_q: Float64[np.ndarray, "H d k"]
    W_k: Float64[np.ndarray, "H d k"]
    W_v: Float64[np.ndarray, "H d k"]
    W_c: Float64[np.ndarray, "H k d"]
    gamma_1: float | Float64[np.ndarray, "d"]
    beta_1: float | Float64[np.ndarray, "d"]
    W_1: Float64[np.ndarray, "d m"]
    W_2: Float64[np.ndarray, "m d"]
    gamma_2: float | Float64[np.ndarray, "d"]
    beta_2: float | Float64[np.ndarray, "d"]


def queries_keys_values(
    x: Float64[np.ndarray, "p d"],
    W_q: Float64[np.ndarray, "H d k"],
    W_k: Float64[np.ndarray, "H d k"],
    W_v: Float64[np.ndarray, "H d k"],
) -> tuple[Float64[np.ndarray, "H p k"], Float64[np.ndarray, "H p k"], Float64[np.ndarray, "H p k"]]:
    r"""Queries, keys and values of every object in every head.

    .. math::

        Q^{(h)}(\mathbf{x}_i) = W_{h,q}^T \mathbf{x}_i, \quad
        K^{(h)}(\mathbf{x}_i) = W_{h,k}^T \mathbf{x}_i, \quad
        V^{(h)}(\mathbf{x}_i) = W_{h,v}^T \mathbf{x}_i

    Source: N1, S7
    """
    H, _, k = W_q.shape
    p = len(x)
    Q, K, V = np.zeros((H, p, k)), np.zeros((H, p, k)), np.zeros((H, p, k))
    for h in range(H):
        for i in range(p):
            Q[h, i] = W_q[h].T @ x[i]
            K[h, i] = W_k[h].T @ x[i]
            V[h, i] = W_v[h].T @ x[i]
    return Q, K, V


def attention_weights(
    Q: Float64[np.ndarray, "H p k"], K: Float64[np.ndarray, "H p k"]
) -> Float64[np.ndarray, "H p p"]:
    r"""How much object i attends to object j in head h; each row ``alpha[h, i]`` sums to 1.

    .. math::

        \alpha_{i,j}^{(h)} = \mathrm{softmax}_j
        \left( \frac{\langle Q^{(h)}(\mathbf{x}_i), K^{(h)}(\mathbf{x}_j) \rangle}{\sqrt{k}} \right)

    The note says that this softmax runs over a d-dimensional vector; j runs over the p objects, so the vector
    has p entries.

    Source: N2, S8
    """
    H, p, k = Q.shape
    alpha = np.zeros((H, p, p))
    for h in range(H):
        for i in range(p):
            scores = np.zeros(p)
            for j in range(p):
                scores[j] = np.dot(Q[h, i], K[h, j]) / np.sqrt(k)
            alpha[h, i] = softmax(scores)
    return alpha


def combined_heads(
    alpha: Float64[np.ndarray, "H p p"],
    V: Float64[np.ndarray, "H p k"],
    W_c: Float64[np.ndarray, "H k d"],
) -> Float64[np.ndarray, "p d"]:
    r"""Each head's weighted sum of values, brought back to d features and summed over heads.

    .. math::

        \mathbf{u}'_i = \sum_{h=1}^H W_{c,h}^T \sum_{j=1}^p \alpha_{i,j}^{(h)} V^{(h)}(\mathbf{x}_j)

    Most of the slides print :math:`\alpha_{i,j}` here without its head index, which would give every head
    the same weights; the head's own weights are meant.

    Source: N3, S9
    """
    H, p, k = V.shape
    d = W_c.shape[2]
    u_prime = np.zeros((p, d))
    for i in range(p):
        for h in range(H):
            lookup = np.zeros(k)
            for j in range(p):
                lookup += alpha[h, i, j] * V[h, j]
            u_prime[i] += W_c[h].T @ lookup
    return u_prime


def residual_layer_norm(
    x: Float64[np.ndarray, "p d"],
    update: Float64[np.ndarray, "p d"],
    gamma: float | Float64[np.ndarray, "d"],
    beta: float | Float64[np.ndarray, "d"],
) -> Float64[np.ndarray, "p d"]:
    r"""Add the update to its input and normalize, position by position.

    .. math::

        \mathbf{u}_i = \mathrm{LayerNorm}(\mathbf{x}_i + \mathbf{u}'_i; \gamma_1, \beta_1), \qquad
        \mathbf{z}_i = \mathrm{LayerNorm}(\mathbf{u}_i + \mathbf{z}'_i; \gamma_2, \beta_2)

    The block declares :math:`\gamma, \beta` to be numbers, the definition of LayerNorm declares them to be
    vectors; both are accepted.

    Source: N4, N6, S10, S12
    """
    p, d = x.shape
    u = np.zeros((p, d))
    for i in range(p):
        u[i] = layer_norm(x[i] + update[i], gamma, beta)
    return u


def feed_forward(
    u: Float64[np.ndarray, "p d"],
    W_1: Float64[np.ndarray, "d m"],
    W_2: Float64[np.ndarray, "m d"],
) -> Float64[np.ndarray, "p d"]:
    r"""The same two-layer ReLU network, without biases, at every position.

    .. math::

        \mathbf{z}'_i = W_2^T \mathrm{ReLU}(W_1^T \mathbf{u}_i)

    Source: N5, S11
    """
    p, d = u.shape
    z_prime = np.zeros((p, d))
    for i in range(p):
        z_prime[i] = W_2.T @ relu(W_1.T @ u[i])
    return z_prime


def relu(a: Float64[np.ndarray, "m"]) -> Float64[np.ndarray, "m"]:
    r"""The positive part of each entry, :math:`\mathrm{ReLU}(a)_l = \max(0, a_l)`.

    Source: N5, S11
    """
    return np.array([max(0.0, a_l) for a_l in a])


def layer_norm(
    z: Float64[np.ndarray, "k"],
    gamma: float | Float64[np.ndarray, "k"],
    beta: float | Float64[np.ndarray, "k"],
) -> Float64[np.ndarray, "k"]:
    r"""Standardize the features of one object, then scale and shift them.

    .. math::

        \mathrm{LayerNorm}(\mathbf{z}; \gamma, \beta)
        = \gamma \frac{\mathbf{z} - \mu_{\mathbf{z}}}{\sigma_{\mathbf{z}}} + \beta

    Nothing is added to :math:`\sigma_{\mathbf{z}}`, unlike in libraries. The slides call this normalization
    "per-sequence"; mean and deviation are those of one position's features.

    Raises
    ------
    ValueError
        Where all features are equal (always for k = 1): the deviation is 0 and the formula has no value.

    Source: N7, S13
    """
    mu, sigma = mean_and_deviation(z)
    if sigma == 0.0:
        raise ValueError(
            f"LayerNorm, equation (7), divides by the deviation of z, which is 0: its {len(z)} features are "
            "equal; give features that differ, or use a LayerNorm with an epsilon"
        )
    return gamma * (z - mu) / sigma + beta


def mean_and_deviation(z: Float64[np.ndarray, "k"]) -> tuple[float, float]:
    r"""Mean and population deviation of the features of one object.

    .. math::

        \mu_{\mathbf{z}} = \frac{1}{k} \sum_{i=1}^k \mathbf{z}_i, \qquad
        \sigma_{\mathbf{z}} = \sqrt{\frac{1}{k} \sum_{i=1}^k (\mathbf{z}_i - \mu_{\mathbf{z}})^2}

    Source: N8, S13
    """
    k = len(z)
    mu = sum(z[i] for i in range(k)) / k
    sigma = np.sqrt(sum((z[i] - mu) ** 2 for i in range(k)) / k)
    return float(mu), float(sigma)


def softmax(a: Float64[np.ndarray, "o"]) -> Float64[np.ndarray, "o"]:
    r"""Probabilities from scores, :math:`\mathrm{softmax}(a)_l = \exp(a_l) / \sum_{l'} \exp(a_{l'})`.

    The note's sum ends at m, the width of its ReLU network; it has to run over all o scores. This is the
    formula as it stands: a score above 709 overflows. Libraries subtract the largest score first, which
    changes nothing else.

    Source: N9, S5
    """
    return np.exp(a) / np.sum(np.exp(a))


def log_linear_head(z: Float64[np.ndarray, "d"], W_z: Float64[np.ndarray, "d o"]) -> Float64[np.ndarray, "o"]:
    r"""Probabilities of the o outcomes, log-linear in the representation z.

    .. math::

        \hat{\mathbf{y}} = \mathrm{softmax}(W_z^T \mathbf{z})
        = \frac{\exp(W_z^T \mathbf{z})}{\sum_{k=1}^{o} \exp(W_z^T \mathbf{z})_k}

    The note writes m for the upper limit o.

    Source: N9
    """
    return softmax(W_z.T @ z)


def transformer_block(x: Float64[np.ndarray, "p d"], theta: BlockParameters) -> Float64[np.ndarray, "p d"]:
    r"""One block :math:`f_\theta(\mathbf{x}) = \mathbf{z}`.

    Attention, then the ReLU network, each with its residual connection and LayerNorm.

    Source: N1, N2, N3, N4, N5, N6, S7, S8, S9, S10, S11, S12
    """
    Q, K, V = queries_keys_values(x, theta.W_q, theta.W_k, theta.W_v)
    alpha = attention_weights(Q, K)
    u_prime = combined_heads(alpha, V, theta.W_c)
    u = residual_layer_norm(x, u_prime, theta.gamma_1, theta.beta_1)
    z_prime = feed_forward(u, theta.W_1, theta.W_2)
    return residual_layer_norm(u, z_prime, theta.gamma_2, theta.beta_2)


def transformer(
    x: Float64[np.ndarray, "p d"], thetas: Sequence[BlockParameters]
) -> Float64[np.ndarray, "p d"]:
    r"""L blocks with their own parameters, :math:`f_{\theta_L} \circ \dots \circ f_{\theta_1}(\mathbf{x})`.

    Source: N12a
    """
    z = x
    for theta in thetas:
        z = transformer_block(z, theta)
    return z
