r"""Alignment: the attention with which a recurrent decoder looks back at its source.

What is attended to, and how strongly, is decided by a *score* of each key for each query and by a *weighting*
that turns scores into weights; every combination of the two is an :class:`Alignment`. Chapter 5 teaches them.
"""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_lib.checks import check_choice, check_whole
from transformer_lib.initialization import projection
from transformer_lib.transformer.attention import dense_mask, masked_softmax
from transformer_lib.transformer.masks import Mask

__all__ = ["SCORINGS", "WEIGHTINGS", "Alignment"]

SCORINGS = ("dot", "scaled-dot", "general", "additive")
"""How a key is scored for a query: a name for each formula of :class:`Alignment`."""

WEIGHTINGS = ("soft", "hard", "local-m", "local-p")
"""How scores become weights."""


class Alignment(nn.Module):
    r"""Contexts :math:`a_j = \sum_i \alpha_{ij} h_i` of the queries :math:`q_j` from the keys :math:`h_i`.

    The score :math:`e_{ij}` is one of

    ================  ===========================================
    ``"dot"``         :math:`\langle h_i, q_j \rangle`
    ``"scaled-dot"``  :math:`\langle h_i, q_j \rangle / \sqrt{d}`
    ``"general"``     :math:`\langle U h_i, q_j \rangle`
    ``"additive"``    :math:`v^\top \tanh(W q_j + U h_i)`
    ================  ===========================================

    and the weighting one of

    ``"soft"``
        :math:`\alpha_{ij} = \mathrm{softmax}_i(e_{ij})` over all keys: global attention.
    ``"hard"``
        1 at the highest score, among equals the first, and 0 elsewhere, in training as in evaluation. The
        gradient is that of the soft weights (straight-through): it is biased, where sampling a key as Xu et
        al. (2015) do would make it unbiased but noisy, and the likelihood a sum over all choices.
    ``"local-m"``
        Soft over the keys at most ``window`` positions from the query's own position: monotonic.
    ``"local-p"``
        The same around a position that each query predicts, :math:`p_j = S \,\sigma(v_p^\top \tanh(W_p q_j))`
        with :math:`S` keys and the first at position 1; the weights are then multiplied by
        :math:`\exp(-(i - p_j)^2 / 2\sigma^2)`, :math:`\sigma` = ``window`` / 2, and no longer sum to 1.

    Parameters
    ----------
    d_query, d_key
        The widths of queries and keys; equal for the two dot products.
    scoring, weighting
        One of each list above.
    window
        :math:`D`, at least 1: for the local weightings, and only for them.
    d_hidden
        The width of the additive score's inner layer; by default ``d_query``.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If a name is unknown, the widths differ for a dot product, or ``window`` is missing or not used.

    Source: G2, G3, G4 for dot and soft; Bahdanau et al. (2015) for additive; Luong et al. (2015) for
    general and local; Xu et al. (2015) for hard
    """

    def __init__(
        self,
        d_query: int,
        d_key: int,
        *,
        scoring: str = "general",
        weighting: str = "soft",
        window: int | None = None,
        d_hidden: int | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_alignment(scoring, weighting, window)
        if scoring in ("dot", "scaled-dot") and d_query != d_key:
            raise ValueError(f"scoring {scoring!r} needs d_query = d_key; got {d_query} and {d_key}")
        self.scoring, self.weighting, self.window = scoring, weighting, window
        self.scale = d_key**-0.5 if scoring == "scaled-dot" else 1.0
        linear: dict[str, Any] = {"bias": False, "generator": generator}
        if scoring == "general":
            self.key_projection = projection(d_key, d_query, **linear)
        if scoring == "additive":
            d_hidden = d_query if d_hidden is None else d_hidden
            self.key_projection = projection(d_key, d_hidden, **linear)
            self.query_projection = projection(d_query, d_hidden, **linear)
            self.score = projection(d_hidden, 1, **linear)
        if weighting == "local-p":
            self.position = nn.Sequential(
                projection(d_query, d_query, **linear), nn.Tanh(), projection(d_query, 1, **linear)
            )

    def project_keys(self, keys: Float[Tensor, "batch keys d_key"]) -> Float[Tensor, "batch keys d_score"]:
        """The part of the scores that depends on the keys alone: computed once, used at every step."""
        return self.key_projection(keys) if self.scoring in ("general", "additive") else keys

    def scores(
        self,
        query: Float[Tensor, "batch queries d_query"],
        projected: Float[Tensor, "batch keys d_score"],
    ) -> Float[Tensor, "batch queries keys"]:
        r"""The scores :math:`e_{ij}`, at ``[:, j, i]``."""
        if self.scoring != "additive":
            return (self.scale * query) @ projected.mT
        queries = self.query_projection(query)[:, :, None]
        inner = torch.tanh(queries + projected[:, None])
        return self.score(inner).squeeze(-1)

    def forward(
        self,
        query: Float[Tensor, "batch queries d_query"],
        keys: Float[Tensor, "batch keys d_key"],
        mask: Mask | None = None,
        *,
        projected: Float[Tensor, "batch keys d_score"] | None = None,
        positions: Int[Tensor, "batch queries"] | None = None,
    ) -> tuple[Float[Tensor, "batch queries d_key"], Float[Tensor, "batch queries keys"]]:
        """The contexts, and the weights that they are sums with.

        Parameters
        ----------
        query, keys
            What asks, and what is asked.
        mask
            What may attend to what; ``None`` allows everything. For ``"local-p"`` the number of keys of a row
            is its key length. A query with nothing to attend to, for example in an empty window, gets zeros.
        projected
            :meth:`project_keys` of the keys, if it was computed before.
        positions
            Where each query stands in its sequence, from 0; by default 0, 1, 2, ... Only ``"local-m"`` asks.

        Raises
        ------
        ValueError
            If the mask does not fit the scores.
        TypeError
            If it is not a :class:`~transformer_lib.transformer.masks.Mask`.
        """
        if projected is None:
            projected = self.project_keys(keys)
        scores = self.scores(query, projected)
        n_keys = scores.shape[2]
        allowed = dense_mask(mask, query, keys)
        if self.window is None:
            weights = self._global_weights(scores, allowed)
        else:
            distance = self._distance(query, n_keys, mask, positions)
            near = distance.abs() <= self.window
            weights = masked_softmax(scores, near if allowed is None else near & allowed)
            if self.weighting == "local-p":
                nearness = torch.exp(-2 * (distance / self.window) ** 2)
                weights = weights * nearness.to(weights.dtype)
        return weights @ keys, weights

    def _global_weights(
        self,
        scores: Float[Tensor, "batch queries keys"],
        allowed: Bool[Tensor, "*mask #queries #keys"] | None,
    ) -> Float[Tensor, "batch queries keys"]:
        soft = masked_softmax(scores, allowed)
        if self.weighting == "soft" or scores.shape[-1] == 0:
            return soft
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        highest = F.one_hot(scores.argmax(dim=-1), scores.shape[-1])
        if allowed is not None:
            highest = highest * allowed
        return highest + (soft - soft.detach())

    def _distance(
        self, query: Tensor, n_keys: int, mask: Mask | None, positions: Tensor | None
    ) -> Float[Tensor, "#batch queries keys"]:
        """How far each key lies behind the position that each query is aligned to."""
        # Half precision cannot tell numbers beyond some hundreds apart.
        precise = torch.promote_types(query.dtype, torch.float32)
        place = torch.arange(n_keys, device=query.device, dtype=precise)
        if self.weighting == "local-m":
            if positions is None:
                positions = torch.arange(query.shape[1], device=query.device)[None]
            return place - positions[:, :, None]
        lengths = query.new_full((query.shape[0],), n_keys, dtype=precise)
        if mask is not None and mask.key_lengths is not None:
            lengths = mask.key_lengths.to(lengths)
        center = lengths[:, None, None] * self.position(query).sigmoid()
        return place + 1 - center


def check_alignment(scoring: str, weighting: str, window: int | None) -> None:
    """Refuse names and windows that :class:`Alignment` does not know.

    Raises
    ------
    ValueError
        Saying what would be right.
    """
    check_choice("scoring", scoring, SCORINGS)
    check_choice("weighting", weighting, WEIGHTINGS)
    if weighting.startswith("local"):
        check_whole(f"the window of weighting {weighting!r}", window, least=1)
    elif window is not None:
        raise ValueError(f"weighting {weighting!r} sees all keys: leave out the window, got {window!r}")
