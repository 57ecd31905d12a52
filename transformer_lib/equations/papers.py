r"""What the course takes from the literature beside its five sources, as literally as those.

Float64 NumPy, indices counted from 0: the classic NADE and the fully visible belief net (chapters 1 and 2),
interpolated Kneser-Ney smoothing (chapters 1 and 11), WaveNet and the VQ-VAE (chapter 3), and the additive
attention score (chapter 5).
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float64, Int

from .slides import sigmoid

__all__ = [
    "additive_score",
    "belief_net_probabilities",
    "bernoulli_log_prob",
    "causal_convolution",
    "gated_activation",
    "kneser_ney_counts",
    "kneser_ney_discount",
    "kneser_ney_probability",
    "nade_hidden",
    "nade_probabilities",
    "vq_posterior",
    "vq_quantize",
    "vqvae_bound",
    "vqvae_loss_terms",
    "wavenet_logits",
]

Counts = list[Counter[tuple[int, ...]]]
"""For each m from 1 on, how often each m-gram was counted."""


def nade_hidden(
    x: Int[np.ndarray, "p"], V: Float64[np.ndarray, "k p"], c: Float64[np.ndarray, "k"]
) -> Float64[np.ndarray, "p k"]:
    r"""Hidden units of the classic NADE over p binary variables: one V and one c for all steps.

    .. math::

        \mathbf{h}_i = \mathrm{sigm}\Big(\mathbf{c} + \sum_{j<i} \mathbf{V}_{\cdot,j}\, x_j\Big)

    As in the slides' NADE, V reads and W writes; the papers have the two letters the other way round.

    Source: Larochelle and Murray (2011); Uria et al. (2016), section 2
    """
    k, p = V.shape
    h = np.zeros((p, k))
    for i in range(p):
        total = c.copy()
        for j in range(i):
            total += V[:, j] * x[j]
        h[i] = sigmoid(total)
    return h


def nade_probabilities(
    x: Int[np.ndarray, "p"],
    V: Float64[np.ndarray, "k p"],
    c: Float64[np.ndarray, "k"],
    W: Float64[np.ndarray, "p k"],
    b: Float64[np.ndarray, "p"],
) -> Float64[np.ndarray, "p"]:
    r"""Probability that each binary variable is 1 given those before it, from its own hidden layer alone.

    .. math::

        p(x_i = 1 \mid \mathbf{x}_{<i}) = \mathrm{sigm}(b_i + \mathbf{W}_{i,\cdot}\, \mathbf{h}_i)

    Source: Larochelle and Murray (2011); Uria et al. (2016), section 2
    """
    h = nade_hidden(x, V, c)
    p = len(b)
    log_odds = np.array([b[i] + np.dot(W[i], h[i]) for i in range(p)])
    return sigmoid(log_odds)


def belief_net_probabilities(
    x: Int[np.ndarray, "p"], W: Float64[np.ndarray, "p p"], b: Float64[np.ndarray, "p"]
) -> Float64[np.ndarray, "p"]:
    r"""Probability that each binary variable is 1 in a fully visible logistic belief net.

    .. math::

        p(x_i = 1 \mid \mathbf{x}_{<i}) = \mathrm{sigm}\Big(b_i + \sum_{j<i} W_{ij}\, x_j\Big)

    One logistic regression per variable on the variables before it; the rest of W is not read.

    Source: Neal (1992); Frey et al. (1996)
    """
    p = len(b)
    total = b.copy()
    for i in range(p):
        for j in range(i):
            total[i] += W[i, j] * x[j]
    return sigmoid(total)


def bernoulli_log_prob(x: Int[np.ndarray, "p"], probabilities: Float64[np.ndarray, "p"]) -> float:
    r"""Log-probability in nats of binary variables from the probabilities that each is 1.

    .. math::

        \log p(\mathbf{x}) = \sum_i x_i \log p_i + (1 - x_i) \log (1 - p_i)

    Source: Uria et al. (2016), section 2
    """
    log_prob = 0.0
    for i in range(len(x)):
        log_prob += np.log(probabilities[i]) if x[i] == 1 else np.log(1.0 - probabilities[i])
    return float(log_prob)


def causal_convolution(
    x: Float64[np.ndarray, "time d_in"], W: Float64[np.ndarray, "k d_in d_out"], dilation: int
) -> Float64[np.ndarray, "time d_out"]:
    r"""Convolution into the past with holes: W[0] reads the present, W[i] what was i dilations ago.

    .. math::

        (W * x)_t = \sum_{i=0}^{k-1} W_i^T x_{t - i \delta}, \qquad x_s = 0 \text{ for } s < 0

    Source: van den Oord et al. (2016), section 2.1
    """
    y = np.zeros((len(x), W.shape[2]))
    for t in range(len(x)):
        for i in range(len(W)):
            if t - i * dilation >= 0:
                y[t] += W[i].T @ x[t - i * dilation]
    return y


def gated_activation(
    x: Float64[np.ndarray, "time d_in"],
    W_f: Float64[np.ndarray, "k d_in d_out"],
    W_g: Float64[np.ndarray, "k d_in d_out"],
    dilation: int,
) -> Float64[np.ndarray, "time d_out"]:
    r"""WaveNet's gated activation unit: what the filter finds, as far as the gate lets it through.

    .. math::

        \mathbf{a} = \tanh(W_{f,k} * \mathbf{x}) \odot \sigma(W_{g,k} * \mathbf{x})

    Source: van den Oord et al. (2016), equation (2)
    """
    content = causal_convolution(x, W_f, dilation)
    gate = causal_convolution(x, W_g, dilation)
    a = [np.tanh(content[t]) * sigmoid(gate[t]) for t in range(len(x))]
    return np.array(a)


def wavenet_logits(
    x: Float64[np.ndarray, "time d"],
    W_f: Float64[np.ndarray, "layers k d d"],
    W_g: Float64[np.ndarray, "layers k d d"],
    V: Float64[np.ndarray, "layers d d"],
    dilations: Sequence[int],
    U_1: Float64[np.ndarray, "d d"],
    U_2: Float64[np.ndarray, "d vocab"],
) -> Float64[np.ndarray, "time vocab"]:
    r"""The logits of the whole network, from the embeddings of the tokens read.

    .. math::

        \mathbf{s}_\ell = V_\ell^T \mathbf{a}_\ell(\mathbf{x}_\ell), \qquad
        \mathbf{x}_{\ell+1} = \mathbf{x}_\ell + \mathbf{s}_\ell, \qquad
        U_2^T \max\Big(0, U_1^T \max\Big(0, \sum_\ell \mathbf{s}_\ell\Big)\Big)

    One map V serves the residual line and the skip connection: the sum is the last x less the first.

    Source: van den Oord et al. (2016), section 2.4 and figure 4
    """
    total = np.zeros_like(x)
    for layer, dilation in enumerate(dilations):
        s = gated_activation(x, W_f[layer], W_g[layer], dilation) @ V[layer]
        total = total + s
        x = x + s
    return np.maximum(0, np.maximum(0, total) @ U_1) @ U_2


def vq_posterior(
    z_e: Float64[np.ndarray, "N D"], e: Float64[np.ndarray, "K D"]
) -> Float64[np.ndarray, "N K"]:
    r"""The VQ-VAE's posterior: all of the probability on the code nearest to the encoder's output.

    .. math::

        q(z = k \mid x) = 1 \text{ for } k = \mathrm{argmin}_j \lVert z_e(x) - e_j \rVert_2,
        \quad 0 \text{ otherwise}

    Among codes equally near it is the first.

    Source: van den Oord et al. (2017), equation (1)
    """
    q = np.zeros((len(z_e), len(e)))
    for n in range(len(z_e)):
        distances = np.zeros(len(e))
        for j in range(len(e)):
            distances[j] = np.sqrt(np.sum((z_e[n] - e[j]) ** 2))
        q[n, np.argmin(distances)] = 1.0
    return q


def vq_quantize(z_e: Float64[np.ndarray, "N D"], e: Float64[np.ndarray, "K D"]) -> Float64[np.ndarray, "N D"]:
    r"""What the decoder reads: each of the encoder's outputs replaced by the nearest code.

    .. math::

        z_q(x) = e_k, \qquad k = \mathrm{argmin}_j \lVert z_e(x) - e_j \rVert_2

    Source: van den Oord et al. (2017), equation (2)
    """
    return vq_posterior(z_e, e) @ e


def vqvae_loss_terms(
    log_likelihood: float, z_e: Float64[np.ndarray, "N D"], e: Float64[np.ndarray, "K D"], beta: float
) -> tuple[float, float, float]:
    r"""The three terms of the VQ-VAE's loss: reconstruction, codebook, commitment.

    .. math::

        L = -\log p(x \mid z_q(x)) + \lVert \mathrm{sg}[z_e(x)] - e \rVert_2^2
        + \beta \lVert z_e(x) - \mathrm{sg}[e] \rVert_2^2

    The stop-gradient sg is the identity in value, so that the last two differ by :math:`\beta` alone; both
    are means over the N latents. The paper prints the first term without its minus sign.

    Source: van den Oord et al. (2017), equation (3)
    """
    z_q = vq_quantize(z_e, e)
    squares = [np.sum((z_e[n] - z_q[n]) ** 2) for n in range(len(z_e))]
    distance = float(np.mean(squares))
    return -log_likelihood, distance, beta * distance


def vqvae_bound(
    log_likelihoods: Float64[np.ndarray, "S"], log_priors: Float64[np.ndarray, "S"], code: int
) -> tuple[float, float]:
    r"""What the encoder's code alone says of the log-probability of x, and all S codes together.

    .. math::

        \log p(x \mid z_q(x))\, p(z_q(x)) \le \log \sum_z p(x \mid z)\, p(z) = \log p(x)

    Source: van den Oord et al. (2017), section 3.2
    """
    joint = np.exp(log_likelihoods + log_priors)
    return float(np.log(joint[code])), float(np.log(joint.sum()))


def additive_score(
    s: Float64[np.ndarray, "n"],
    h_j: Float64[np.ndarray, "m"],
    W_a: Float64[np.ndarray, "a n"],
    U_a: Float64[np.ndarray, "a m"],
    v_a: Float64[np.ndarray, "a"],
) -> float:
    r"""How well encoder annotation :math:`h_j` matches decoder state s: a network with one hidden layer.

    .. math::

        e_{ij} = v_a^T \tanh(W_a s_{i-1} + U_a h_j)

    Source: Bahdanau et al. (2015), appendix A.1.2
    """
    return float(np.dot(v_a, np.tanh(W_a @ s + U_a @ h_j)))


def kneser_ney_counts(documents: Sequence[Sequence[int]], order: int, start: int) -> Counts:
    r"""The counts c that each order of interpolated Kneser-Ney discounts; entry m - 1 holds the m-grams.

    A document is read with ``start`` in front and behind; the one in front is nothing that was predicted. The
    highest order counts how often an n-gram occurs. A lower order counts after how many different words an
    m-gram was seen,

    .. math::

        c(w_1 \dots w_m) = N_{1+}(\bullet\, w_1 \dots w_m) = |\{v : v\, w_1 \dots w_m \text{ occurs}\}|

    Before an m-gram that begins with the start there is no word: its occurrences are counted.

    Source: Chen and Goodman (1999), section 2.7
    """
    occurrences: Counts = [Counter() for _ in range(order)]
    for document in documents:
        text = (start, *document, start)
        for end in range(2, len(text) + 1):
            for m in range(1, min(order, end) + 1):
                occurrences[m - 1][text[end - m : end]] += 1
    counts: Counts = []
    for m in range(1, order):
        different = Counter(gram[1:] for gram in occurrences[m])
        grams = occurrences[m - 1].items()
        begins = {gram: n for gram, n in grams if m > 1 and gram[0] == start}
        counts.append(Counter({**different, **begins}))
    return [*counts, occurrences[order - 1]]


def kneser_ney_discount(counts: Counter[tuple[int, ...]]) -> float:
    r"""The absolute discount of one order, from its m-grams counted once and twice.

    .. math::

        D = \frac{n_1}{n_1 + 2 n_2}

    Where no m-gram was counted once this would be 0, or have no value, and leave nothing for the words
    not seen; 1/2 takes its place.

    Source: Chen and Goodman (1999), section 2.7
    """
    n_1 = sum(count == 1 for count in counts.values())
    n_2 = sum(count == 2 for count in counts.values())
    return n_1 / (n_1 + 2 * n_2) if n_1 > 0 else 0.5


def kneser_ney_probability(word: int, history: tuple[int, ...], counts: Counts, vocab_size: int) -> float:
    r"""Probability of a word after n - 1 words or fewer, interpolated with all shorter histories.

    .. math::

        p(w \mid h) = \frac{\max(c(h w) - D, 0)}{\sum_{w'} c(h w')}
        + \frac{D\, N_{1+}(h\, \bullet)}{\sum_{w'} c(h w')}\, p(w \mid h')

    with :math:`h'` the history without its first word, and 1 / ``vocab_size`` below the empty history. Here
    :math:`N_{1+}(h\, \bullet)` is the number of words counted after h. A history never seen has no counts,
    and :math:`p(w \mid h) = p(w \mid h')`.

    Source: Chen and Goodman (1999), section 2.7
    """
    order_counts = counts[len(history)]
    shorter = 1.0 / vocab_size
    if history:
        shorter = kneser_ney_probability(word, history[1:], counts, vocab_size)
    following = [order_counts[(*history, w)] for w in range(vocab_size)]
    total = sum(following)
    if total == 0:
        return shorter
    D = kneser_ney_discount(order_counts)
    seen = sum(count > 0 for count in following)
    own = max(order_counts[(*history, word)] - D, 0.0) / total
    return own + D * seen / total * shorter
