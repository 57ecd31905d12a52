r"""Pictures as patches, and sentences as trees, from the literature, as literally as the five sources.

Float64 NumPy, chapter 18: the patch embeddings of a vision Transformer, the probability of a sentence under a
grammar and its best tree (CKY), and labeled brackets. A grammar is in Chomsky normal form: its rules are
``(A, B, C): p`` for two symbols and ``(A, w): p`` for a word.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float64

__all__ = ["best_tree_probability", "inside_probability", "labeled_f1", "patch_embeddings", "patches"]

Rules = Mapping[tuple[str, ...], float]
Brackets = Sequence[tuple[str, int, int]]


def patches(x: Float64[np.ndarray, "H W"], P: int) -> Float64[np.ndarray, "N P2"]:
    r"""The image as a sequence of flattened patches, row by row.

    .. math::

        x_p \in \mathbb{R}^{N \times P^2}, \qquad N = HW / P^2

    Source: Dosovitskiy et al. (2021), section 3.1
    """
    H, W = x.shape
    rows = []
    for r in range(0, H, P):
        for c in range(0, W, P):
            rows.append([x[r + i, c + j] for i in range(P) for j in range(P)])
    return np.array(rows)


def patch_embeddings(
    x: Float64[np.ndarray, "H W"],
    E: Float64[np.ndarray, "P2 D"],
    E_pos: Float64[np.ndarray, "N D"],
) -> Float64[np.ndarray, "N D"]:
    r"""What enters a vision Transformer's first block; without the extra vector for the class.

    .. math::

        z_0 = [x_p^1 E;\; x_p^2 E;\; \cdots;\; x_p^N E] + E_{pos}

    Source: Dosovitskiy et al. (2021), equation (1)
    """
    P = round(len(E) ** 0.5)
    z = [x_p @ E for x_p in patches(x, P)]
    return np.array(z) + E_pos


def inside_probability(w: Sequence[str], rules: Rules, start: str) -> float:
    r"""The probability of a sentence: the sum over its trees.

    .. math::

        \beta_A(i, i+1) = p(A \to w_i), \qquad
        \beta_A(i, k) = \sum_{A \to B\,C} \sum_{i < j < k} p(A \to B\,C)\, \beta_B(i, j)\, \beta_C(j, k)

    Source: Baker (1979)
    """

    def beta(A: str, i: int, k: int) -> float:
        if k == i + 1:
            return rules.get((A, w[i]), 0.0)
        return sum(
            p * beta(rule[1], i, j) * beta(rule[2], j, k)
            for rule, p in rules.items()
            if rule[0] == A and len(rule) == 3
            for j in range(i + 1, k)
        )

    return beta(start, 0, len(w))


def best_tree_probability(w: Sequence[str], rules: Rules, start: str) -> float:
    r"""The probability of the best tree of a sentence: the same with a maximum in place of both sums.

    .. math::

        \delta_A(i, i+1) = p(A \to w_i), \qquad
        \delta_A(i, k) = \max_{A \to B\,C} \max_{i < j < k} p(A \to B\,C)\, \delta_B(i, j)\, \delta_C(j, k)

    Source: Younger (1967)
    """

    def delta(A: str, i: int, k: int) -> float:
        if k == i + 1:
            return rules.get((A, w[i]), 0.0)
        found = [
            p * delta(rule[1], i, j) * delta(rule[2], j, k)
            for rule, p in rules.items()
            if rule[0] == A and len(rule) == 3
            for j in range(i + 1, k)
        ]
        return max(found, default=0.0)

    return delta(start, 0, len(w))


def labeled_f1(hypothesis: Brackets, reference: Brackets) -> dict[str, Any]:
    r"""Precision, recall and F1 of the brackets of a parse; a bracket of the reference is matched once.

    .. math::

        P = \frac{\text{matched}}{\text{brackets of the parse}}, \qquad
        R = \frac{\text{matched}}{\text{brackets of the reference}}, \qquad
        F_1 = \frac{2PR}{P + R}

    Source: Black et al. (1991)
    """
    free = list(reference)
    matched = 0
    for bracket in hypothesis:
        if bracket in free:
            free.remove(bracket)
            matched += 1
    P, R = matched / len(hypothesis), matched / len(reference)
    return {"P": P, "R": R, "F1": 2 * P * R / (P + R) if matched else 0.0}
