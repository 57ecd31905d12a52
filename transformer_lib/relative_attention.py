r"""Attention by content and by distance, as Transformer-XL has it (chapter 17)."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.attention import attention, attention_weights
from transformer_lib.linear import projection
from transformer_lib.masks import Mask

__all__ = ["Distances", "RelativeAttention", "relative_shift"]


@dataclass(frozen=True, eq=False)
class Distances:
    """What all blocks share: how distances are encoded, and the queries that ask alike from everywhere.

    Attributes
    ----------
    encodings : Tensor
        Row :math:`r` is :math:`R_r`, the sinusoids of distance :math:`r`; the last row's is the largest
        distance that is seen.
    content_bias, distance_bias : Tensor
        The vectors :math:`u` and :math:`v` of each head.
    """

    encodings: Float[Tensor, "distances d_model"]
    content_bias: Float[Tensor, "heads d_head"]
    distance_bias: Float[Tensor, "heads d_head"]


def relative_shift(
    by_distance: Float[Tensor, "*batch queries keys"],
) -> Float[Tensor, "*batch queries keys"]:
    r"""From a column for each distance, the farthest first, to a column for each key.

    Column :math:`c` of the input belongs to distance :math:`\text{keys} - 1 - c`, whatever the query. Row
    :math:`i` moves left by :math:`\text{queries} - 1 - i`, so that the entry of each key at or before the
    query is that of their distance: the queries are the last positions. Entries of later keys mean nothing.

    Source: Huang et al. (2019), section 3.4.1; Dai et al. (2019), appendix B
    """
    queries, keys = by_distance.shape[-2:]
    padded = F.pad(by_distance, (1, 0)).flatten(-2)
    return padded[..., queries:].unflatten(-1, (queries, keys))


class RelativeAttention(nn.Module):
    r"""Attention of a segment to itself and to its memory, by content and by distance.

    .. math::
        A_{ij} = \langle q_i + u,\; W_{k,E} \tilde h_j \rangle + \langle q_i + v,\; W_{k,R} R_{i-j} \rangle,
        \qquad \tilde h = [m \circ h], \quad q_i = W_q h_i

    The weights are the softmax of :math:`A_{ij} / \sqrt{d_\text{head}}` over the keys :math:`j \le i` whose
    distance has an encoding.

    Parameters
    ----------
    d_model, n_heads
        The width, and the number of heads, which divides it.
    dropout
        The probability of dropping an attention weight during training.
    generator
        The source of the initial weights.

    Source: Dai et al. (2019), section 3.3
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        dropout: float = 0.0,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.n_heads, self.dropout = n_heads, dropout
        self.query = projection(d_model, d_model, bias=False, generator=generator)
        self.key = projection(d_model, d_model, bias=False, generator=generator)
        self.value = projection(d_model, d_model, bias=False, generator=generator)
        self.distance_key = projection(d_model, d_model, bias=False, generator=generator)
        self.output = projection(d_model, d_model, bias=False, generator=generator)

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch remembered d_model"],
        distances: Distances,
    ) -> Float[Tensor, "batch queries d_model"]:
        """What each position of ``x`` gathers from the memory and from ``x``."""
        context = torch.cat([memory, x], dim=1)
        query, key, mask, bias = self._ask(x, context, distances)
        dropout = self.dropout if self.training else 0.0
        mixed = attention(query, key, self._heads(self.value(context)), mask, dropout=dropout, bias=bias)
        return self.output(mixed.transpose(1, 2).flatten(2))

    def weights(
        self,
        x: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch remembered d_model"],
        distances: Distances,
    ) -> Float[Tensor, "batch heads queries keys"]:
        """The weights that :meth:`forward` uses, before dropout; the memory's keys come first."""
        query, key, mask, bias = self._ask(x, torch.cat([memory, x], dim=1), distances)
        return attention_weights(query, key, mask, bias=bias)

    def _ask(
        self, x: Tensor, context: Tensor, distances: Distances
    ) -> tuple[
        Float[Tensor, "batch heads queries d_head"],
        Float[Tensor, "batch heads keys d_head"],
        Mask,
        Float[Tensor, "batch heads queries keys"],
    ]:
        n_queries, n_keys, seen = x.shape[1], context.shape[1], len(distances.encodings)
        query, key = self._heads(self.query(x)), self._heads(self.key(context))
        encoded = self._heads(self.distance_key(distances.encodings[None, :n_keys]))
        farthest_first = torch.arange(n_keys, device=x.device).flip(0).clamp(max=seen - 1)
        asked = query + distances.distance_bias[:, None]
        by_distance = (asked @ encoded.mT).index_select(-1, farthest_first)
        bias = relative_shift(by_distance) * query.shape[-1] ** -0.5
        mask = Mask.causal()
        if n_keys > seen:
            near = torch.ones(n_queries, n_keys, dtype=torch.bool, device=x.device)
            mask = mask & Mask.from_dense(near.triu(n_keys - n_queries - seen + 1))
        return query + distances.content_bias[:, None], key, mask, bias

    def _heads(self, x: Float[Tensor, "batch time d_model"]) -> Float[Tensor, "batch heads time d_head"]:
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
