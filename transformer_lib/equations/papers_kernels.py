r"""Attention with a kernel in the place of its exponential, as literally as the five sources.

Float64 NumPy, indices counted from 0: kernel regression (chapters 6 and 19), and linear attention as a sum
and as a memory (chapter 16). Queries and keys are those of one head, as rows.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float64

__all__ = [
    "gaussian_kernel",
    "linear_attention",
    "linear_attention_weights",
    "memory_attention",
    "nadaraya_watson",
    "positive_features",
]

Kernel = Callable[[Float64[np.ndarray, "d"], Float64[np.ndarray, "d"]], float]


def nadaraya_watson(
    x: Float64[np.ndarray, "d"],
    points: Float64[np.ndarray, "n d"],
    y: Float64[np.ndarray, "n"],
    kernel: Kernel,
) -> float:
    r"""The mean of the observations y, weighted by how near their points are to x.

    .. math::

        m(x) = \frac{\sum_{j=1}^n \kappa(x, x_j)\, y_j}{\sum_{j=1}^n \kappa(x, x_j)}

    Source: Nadaraya (1964); Watson (1964)
    """
    above = sum(kernel(x, points[j]) * y[j] for j in range(len(points)))
    below = sum(kernel(x, points[j]) for j in range(len(points)))
    return float(above / below)


def gaussian_kernel(beta: float) -> Kernel:
    r"""The kernel of bandwidth :math:`1/\sqrt\beta`.

    .. math::

        \kappa(x, x') = \exp\big(-\beta \lVert x - x' \rVert^2 / 2\big)

    Source: Watson (1964)
    """
    return lambda x, other: float(np.exp(-beta * np.sum((x - other) ** 2) / 2))


def positive_features(x: Float64[np.ndarray, "k"]) -> Float64[np.ndarray, "k"]:
    r"""Features that are never negative: :math:`\phi(x) = \mathrm{elu}(x) + 1`.

    Source: Katharopoulos et al. (2020), section 3.2
    """
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear_attention_weights(
    Q: Float64[np.ndarray, "p k"], K: Float64[np.ndarray, "p k"], f: Float64[np.ndarray, "p"]
) -> Float64[np.ndarray, "p p"]:
    r"""How much of the value written at s is read at t, before they are made to sum to 1.

    .. math::

        a_{t,s} = \Big(\prod_{r=s+1}^t f_r\Big)\, \langle \phi(q_t), \phi(k_s) \rangle, \qquad s \le t

    The paper has no forget gates, :math:`f = 1`. Yang et al. (2024) have one for each row of the memory;
    here all rows share it.

    Source: Katharopoulos et al. (2020), section 3.3; Yang et al. (2024) for the gates
    """
    p = len(Q)
    a = np.zeros((p, p))
    for t in range(p):
        for s in range(t + 1):
            a[t, s] = positive_features(Q[t]) @ positive_features(K[s])
            for r in range(s + 1, t + 1):
                a[t, s] = a[t, s] * f[r]
    return a


def linear_attention(
    Q: Float64[np.ndarray, "p k"],
    K: Float64[np.ndarray, "p k"],
    V: Float64[np.ndarray, "p m"],
    f: Float64[np.ndarray, "p"],
) -> Float64[np.ndarray, "p m"]:
    r"""Linear attention as a weighted sum over the past.

    .. math::

        y_t = \frac{\sum_{s \le t} a_{t,s} v_s}{\sum_{s \le t} a_{t,s}}

    Source: Katharopoulos et al. (2020), section 3.3; Yang et al. (2024) for the gates
    """
    a = linear_attention_weights(Q, K, f)
    y = np.zeros(V.shape)
    for t in range(len(Q)):
        read = sum(a[t, s] * V[s] for s in range(t + 1))
        y[t] = read / sum(a[t, s] for s in range(t + 1))
    return y


def memory_attention(
    Q: Float64[np.ndarray, "p k"],
    K: Float64[np.ndarray, "p k"],
    V: Float64[np.ndarray, "p m"],
    f: Float64[np.ndarray, "p"],
) -> Float64[np.ndarray, "p m"]:
    r"""Linear attention as a recurrent network, whose memory is a matrix and a vector.

    .. math::

        S_t = f_t S_{t-1} + \phi(k_t) v_t^T, \qquad
        z_t = f_t z_{t-1} + \phi(k_t), \qquad
        y_t = \frac{S_t^T \phi(q_t)}{\langle z_t, \phi(q_t) \rangle}

    Both start at zero.

    Source: Katharopoulos et al. (2020), section 3.4; Yang et al. (2024) for the gates
    """
    S, z = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1])
    y = np.zeros(V.shape)
    for t in range(len(Q)):
        S = f[t] * S + np.outer(positive_features(K[t]), V[t])
        z = f[t] * z + positive_features(K[t])
        y[t] = S.T @ positive_features(Q[t]) / (z @ positive_features(Q[t]))
    return y
