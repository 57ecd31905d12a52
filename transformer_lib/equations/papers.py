r"""What the course takes from the literature beside its five sources, as literally as those.

Float64 NumPy, indices counted from 0: the classic NADE and the fully visible belief net (chapters 1 and 2),
interpolated Kneser-Ney smoothing (chapters 1 and 11), and the additive attention score (chapter 5).
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
    "kneser_ney_counts",
    "kneser_ney_discount",
    "kneser_ney_probability",
    "nade_hidden",
    "nade_probabilities",
]


def nade_hidden(
    x: Int[np.ndarray, "p"], W: Float64[np.ndarray, "k p"], c: Float64[np.ndarray, "k"]
) -> Float64[np.ndarray, "p k"]:
    r"""Hidden units of the classic NADE over p binary variables: one W and one c for all steps.

    .. math::

        \mathbf{h}_i = \mathrm{sigm}\Big(\mathbf{c} + \sum_{j<i} \mathbf{W}_{\cdot,j}\, x_j\Big)

    Source: Larochelle and Murray (2011); Uria et al. (2016), section 2
    """
    k, p = W.shape
    h = np.zeros((p, k))
    for i in range(p):
        total = c.copy()
        for j in range(i):
            total += W[:, j] * x[j]
        h[i] = sigmoid(total)
    return h


def nade_probabilities(
    x: Int[np.ndarray, "p"],
    W: Float64[np.ndarray, "k p"],
    c: Float64[np.ndarray, "k"],
    V: Float64[np.ndarray, "p k"],
    b: Float64[np.ndarray, "p"],
) -> Float64[np.ndarray, "p"]:
    r"""Probability that each binary variable is 1 given those before it, from its own hidden layer alone.

    .. math::

        p(x_i = 1 \mid \mathbf{x}_{<i}) = \mathrm{sigm}(b_i + \mathbf{V}_{i,\cdot}\, \mathbf{h}_i)

    Source: Larochelle and Murray (2011); Uria et al. (2016), section 2
    """
    h = nade_hidden(x, W, c)
    p = len(b)
    return np.array([sigmoid(b[i : i + 1] + np.dot(V[i], h[i]))[0] for i in range(p)])


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


def kneser_ney_counts(
    documents: Sequence[Sequence[int]], order: int, start: int
) -> list[Counter[tuple[int, ...]]]:
    r"""The counts c that each order of interpolated Kneser-Ney discounts; entry m - 1 holds the m-grams.

    A document is read with ``start`` in front and behind; the one in front is nothing that was predicted. The
    highest order counts how often an n-gram occurs. A lower order counts after how many different words an
    m-gram was seen,

    .. math::

        c(w_1 \dots w_m) = N_{1+}(\bullet\, w_1 \dots w_m) = |\{v : v\, w_1 \dots w_m \text{ occurs}\}|

    Before an m-gram that begins with the start there is no word: its occurrences are counted.

    Source: Chen and Goodman (1999), section 2.7
    """
    occurrences: list[Counter[tuple[int, ...]]] = [Counter() for _ in range(order)]
    for document in documents:
        text = (start, *document, start)
        for end in range(2, len(text) + 1):
            for m in range(1, min(order, end) + 1):
                occurrences[m - 1][text[end - m : end]] += 1
    counts: list[Counter[tuple[int, ...]]] = []
    for m in range(1, order):
        different = Counter(gram[1:] for gram in occurrences[m])
        begins = {gram: n for gram, n in occurrences[m - 1].items() if m > 1 and gram[0] == start}
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


def kneser_ney_probability(
    word: int, history: tuple[int, ...], counts: list[Counter[tuple[int, ...]]], vocab_size: int
) -> float:
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
    shorter = kneser_ney_probability(word, history[1:], counts, vocab_size) if history else 1.0 / vocab_size
    following = [order_counts[(*history, w)] for w in range(vocab_size)]
    total = sum(following)
    if total == 0:
        return shorter
    D = kneser_ney_discount(order_counts)
    seen = sum(count > 0 for count in following)
    return max(order_counts[(*history, word)] - D, 0.0) / total + D * seen / total * shorter
