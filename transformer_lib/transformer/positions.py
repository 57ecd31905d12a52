r"""The schemes of positions that chapter 9 compares with learned ones.

Their base class, and GPT-2's learned table, are in :mod:`~transformer_lib.transformer.position_hooks`.
Those of the note act on what enters the first block: :class:`OneHotPositions`, :class:`JointPositions`,
:class:`GehringPositions` and :class:`SinusoidalPositions`. :class:`RelativePositions` and
:class:`AlibiPositions` act on the scores, :class:`RelativeValuesPositions` on scores and values, and
:class:`RotaryPositions` on queries and keys. :data:`~transformer_lib.transformer.config.POSITIONS` is the
list.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.checks import check_positive
from transformer_lib.initialization import embedding, projection
from transformer_lib.transformer.attention import attention_weights, for_each_query_head
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import TABLE_STD, Positions, Start, table_rows

__all__ = [
    "AlibiPositions",
    "FixedTable",
    "GehringPositions",
    "JointPositions",
    "OneHotPositions",
    "RelativePositions",
    "RelativeValuesPositions",
    "RotaryPositions",
    "SinusoidalPositions",
    "alibi_slopes",
    "sinusoids",
]


class OneHotPositions(Positions):
    r"""Each input extended by its position's basis vector, :math:`x'_k = (x_k, e_k)`, and projected.

    A linear map of :math:`(x_k, e_k)` to ``d_model`` is :math:`W_x^\top x_k + W_e^\top e_k`, and the second
    term is row :math:`k` of a table.

    Source: N11a
    """

    def __init__(self, n_positions: int, d_model: int, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.n_positions, self.d_model = n_positions, d_model
        self.features = projection(d_model, d_model, bias=False, generator=generator)
        self.table = embedding(n_positions, d_model, std=TABLE_STD, generator=generator)

    def embed(
        self, x: Float[Tensor, "batch time d_model"], start: Start = 0
    ) -> Float[Tensor, "batch time d_model"]:
        r""":math:`W^\top (x_k, e_k)`."""
        self._check(start, x.shape[-2])
        return self.features(x) + table_rows(self.table.weight, x, start)


class JointPositions(Positions):
    r"""Input and position in one hidden layer: :math:`W_z^\top \mathrm{ReLU}(W_x^\top x_k + W_e^\top e_k)`.

    Parameters
    ----------
    n_positions, d_model
        The sizes.
    d_hidden
        The hidden width :math:`m`; by default ``d_model``.
    generator
        The source of the initial weights.

    Source: N10, S14
    """

    def __init__(
        self,
        n_positions: int,
        d_model: int,
        d_hidden: int | None = None,
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.n_positions, self.d_model = n_positions, d_model
        d_hidden = d_model if d_hidden is None else d_hidden
        self.features = projection(d_model, d_hidden, bias=False, generator=generator)
        self.table = embedding(n_positions, d_hidden, std=TABLE_STD, generator=generator)
        self.output = projection(d_hidden, d_model, bias=False, generator=generator)

    def embed(
        self, x: Float[Tensor, "batch time d_model"], start: Start = 0
    ) -> Float[Tensor, "batch time d_model"]:
        r""":math:`W_z^\top \mathrm{ReLU}(W_x^\top x_k + W_e^\top e_k)`."""
        self._check(start, x.shape[-2])
        rows = table_rows(self.table.weight, x, start)
        return self.output((self.features(x) + rows).relu())


class GehringPositions(Positions):
    r"""Input and position each through a layer of its own.

    The result is :math:`W_{zx}^\top \mathrm{ReLU}(W_x^\top x_k) + W_{ze}^\top \mathrm{ReLU}(W_e^\top e_k)`.
    This is the note's reading of Gehring et al. (2017), who have no ReLU and learn the sum of two tables.

    Parameters
    ----------
    n_positions, d_model, d_hidden, generator
        As for :class:`JointPositions`.

    Source: N11
    """

    def __init__(
        self,
        n_positions: int,
        d_model: int,
        d_hidden: int | None = None,
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.n_positions, self.d_model = n_positions, d_model
        d_hidden = d_model if d_hidden is None else d_hidden
        self.features = projection(d_model, d_hidden, bias=False, generator=generator)
        self.feature_output = projection(d_hidden, d_model, bias=False, generator=generator)
        self.table = embedding(n_positions, d_hidden, std=TABLE_STD, generator=generator)
        self.position_output = projection(d_hidden, d_model, bias=False, generator=generator)

    def embed(
        self, x: Float[Tensor, "batch time d_model"], start: Start = 0
    ) -> Float[Tensor, "batch time d_model"]:
        r""":math:`W_{zx}^\top \mathrm{ReLU}(W_x^\top x_k) + W_{ze}^\top \mathrm{ReLU}(W_e^\top e_k)`."""
        self._check(start, x.shape[-2])
        rows = table_rows(self.table.weight, x, start)
        features = self.feature_output(self.features(x).relu())
        return features + self.position_output(rows.relu())


class FixedTable(Positions):
    """A scheme whose table is computed, not learned, and never rounded through a smaller type."""

    table: Tensor

    def __init__(self) -> None:
        super().__init__()
        dtype, device = torch.get_default_dtype(), torch.get_default_device()
        self.register_buffer("table", self._made(dtype, device), persistent=False)

    def _compute(self) -> Tensor:
        """The table in float64."""
        raise NotImplementedError

    def _made(self, dtype: torch.dtype, device: torch.device) -> Tensor:
        with torch.device("cpu"):
            table = self._compute().to(dtype)
        return table.to(device)

    def _apply(self, function: Callable[[Tensor], Tensor], recurse: bool = True) -> "FixedTable":
        before = self.table
        super()._apply(function, recurse)
        if self.table is not before:
            self.table = self._made(self.table.dtype, self.table.device)
        return self


class SinusoidalPositions(FixedTable):
    r"""Fixed waves of geometrically growing length, added: :math:`x_k + p_k`.

    Source: N11b, N12, T8, T9
    """

    n_positions: int

    def __init__(self, n_positions: int, d_model: int) -> None:
        self.n_positions, self.d_model = n_positions, d_model
        super().__init__()

    def _compute(self) -> Tensor:
        return sinusoids(self.n_positions, self.d_model)

    def embed(
        self, x: Float[Tensor, "batch time d_model"], start: Start = 0
    ) -> Float[Tensor, "batch time d_model"]:
        """The sum of each input and its position's waves."""
        self._check(start, x.shape[-2])
        return x + table_rows(self.table, x, start).to(x.dtype)


class RelativePositions(Positions):
    r"""A learned vector for each distance, compared with the query.

    :math:`\langle q_i, r_{j-i} \rangle / \sqrt{d_\text{head}}` is added to the scores. Distances beyond
    ``max_distance`` count as ``max_distance``. Each head has its own vectors.

    Source: Shaw et al. (2018), equation 4; Huang et al. (2019)
    """

    def __init__(
        self, n_heads: int, d_head: int, max_distance: int, *, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        check_positive(n_heads=n_heads, d_head=d_head, max_distance=max_distance)
        self.n_heads, self.d_head, self.max_distance = n_heads, d_head, max_distance
        self.vectors = nn.Parameter(torch.empty(n_heads, 2 * max_distance + 1, d_head))
        nn.init.normal_(self.vectors, std=d_head**-0.5, generator=generator)

    def score_bias(
        self, query: Float[Tensor, "batch heads queries d_head"], n_keys: int, start: Start = 0
    ) -> Float[Tensor, "batch heads queries keys"]:
        """The scaled product of each query with the vector of its distance to each key."""
        products = (query * query.shape[-1] ** -0.5) @ self.vectors.mT
        rows = self._rows(query, n_keys, start)
        return products.gather(-1, rows.expand(*products.shape[:2], -1, -1))

    def _rows(self, query: Tensor, n_keys: int, start: Start) -> Int[Tensor, "*batch queries keys"]:
        """Which of a head's vectors belongs to each query and key."""
        farthest = self.max_distance
        distances = _distances(query, n_keys, start)
        return distances.clamp(-farthest, farthest) + farthest


class RelativeValuesPositions(RelativePositions):
    r"""Relative positions that the values carry too: :math:`a_i = \sum_j \alpha_{ij} (v_j + r^V_{j-i})`.

    The weights are those of :class:`RelativePositions`. They have to be formed, so this is slower than fused
    attention and needs more memory.

    Parameters
    ----------
    n_heads, d_head, max_distance
        As for :class:`RelativePositions`.
    d_value
        The width of the values; by default ``d_head``.
    generator
        The source of the initial weights.

    Source: Shaw et al. (2018), equations 3 and 4
    """

    def __init__(
        self,
        n_heads: int,
        d_head: int,
        max_distance: int,
        *,
        d_value: int | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__(n_heads, d_head, max_distance, generator=generator)
        d_value = d_head if d_value is None else d_value
        check_positive(d_value=d_value)
        self.d_value = d_value
        self.value_vectors = nn.Parameter(torch.empty(n_heads, 2 * max_distance + 1, d_value))
        nn.init.normal_(self.value_vectors, std=d_value**-0.5, generator=generator)

    def score_bias(
        self, query: Float[Tensor, "batch heads queries d_head"], n_keys: int, start: Start = 0
    ) -> Float[Tensor, "batch heads queries keys"]:
        """As without positions in the values; a position for each token is a ``ValueError``."""
        if isinstance(start, Tensor):
            raise ValueError("relative positions in the values take no position_ids: use 'relative'")
        return super().score_bias(query, n_keys, start)

    def gather(
        self,
        query: Float[Tensor, "batch heads queries d_head"],
        key: Float[Tensor, "batch kv_heads keys d_head"],
        value: Float[Tensor, "batch kv_heads keys d_value"],
        mask: Mask | None = None,
        *,
        dropout: float = 0.0,
        bias: Float[Tensor, "batch heads queries keys"] | None = None,
    ) -> Float[Tensor, "batch heads queries d_value"]:
        """The weighted sum of the values, and of the vectors of the distances at which they stand."""
        weights = F.dropout(attention_weights(query, key, mask, bias=bias), dropout)
        queries, keys = weights.shape[-2:]
        rows = self._rows(query, keys, keys - queries).expand_as(weights)
        by_distance = weights.new_zeros(*weights.shape[:-1], self.value_vectors.shape[1])
        from_values = weights @ for_each_query_head(value, query)
        return from_values + by_distance.scatter_add(-1, rows, weights) @ self.value_vectors


class RotaryPositions(FixedTable):
    r"""Queries and keys turned by angles that grow with the position, so that scores see distances alone.

    The features :math:`2i` and :math:`2i + 1` of the vector at :math:`k` are turned by
    :math:`k / b^{2i/d_\text{head}}`.

    Source: Su et al. (2021), equation 34
    """

    n_positions: int

    def __init__(self, n_positions: int, d_head: int, base: float = 10000.0) -> None:
        if d_head % 2:
            raise ValueError(f"rotary positions turn pairs of features: d_head must be even, got {d_head}")
        self.n_positions, self.d_head, self.base = n_positions, d_head, base
        super().__init__()

    def _compute(self) -> Tensor:
        turns = angles(self.n_positions, self.d_head, self.base)
        return torch.stack([turns.cos(), turns.sin()])

    def rotate(
        self,
        query: Float[Tensor, "batch heads time d_head"],
        key: Float[Tensor, "batch kv_heads time d_head"],
        start: Start = 0,
    ) -> tuple[Float[Tensor, "batch heads time d_head"], Float[Tensor, "batch kv_heads time d_head"]]:
        """Each vector, turned by its position's angles."""
        self._check(start, query.shape[-2])
        stop = start + query.shape[-2]
        places = start.long() if isinstance(start, Tensor) else slice(start, stop)
        # each (1, time, d / 2), or (batch, 1, time, d / 2)
        cosine, sine = (part[places].unsqueeze(-3) for part in self.table)
        return _turn(query, cosine, sine), _turn(key, cosine, sine)


class AlibiPositions(FixedTable):
    r"""A penalty that grows with the distance: :math:`-m_h |i - j|` is added to head :math:`h`'s scores.

    The slopes :math:`m_h` are those of :func:`alibi_slopes`. The paper's model is causal, where
    :math:`|i - j| = i - j`. Where scores have fewer digits than float32, the penalties are computed
    in float32 and rounded once.

    Source: Press et al. (2022)
    """

    def __init__(self, n_heads: int) -> None:
        self.n_heads = n_heads
        super().__init__()

    def _compute(self) -> Tensor:
        return alibi_slopes(self.n_heads)

    def _made(self, dtype: torch.dtype, device: torch.device) -> Tensor:
        return super()._made(torch.promote_types(dtype, torch.float32), device)

    def score_bias(
        self, query: Float[Tensor, "batch heads queries d_head"], n_keys: int, start: Start = 0
    ) -> Float[Tensor, "#batch heads queries keys"]:
        """The penalties: without a position for each token the same for every sequence."""
        distances = _distances(query, n_keys, start).abs()
        penalties = (-self.table[:, None, None] * distances).to(query.dtype)
        return penalties if isinstance(start, Tensor) else penalties[None]


def sinusoids(n_positions: int, d_model: int, base: float = 10000.0) -> Float[Tensor, "n_positions d_model"]:
    r"""The table :math:`p_{k,2i} = \sin(k / b^{2i/d})`, :math:`p_{k,2i+1} = \cos(k / b^{2i/d})`, in float64.

    Source: N11b, T8, T9
    """
    table = torch.empty(n_positions, d_model, dtype=torch.float64)
    turns = angles(n_positions, d_model, base)
    table[:, 0::2] = turns.sin()
    table[:, 1::2] = turns[:, : d_model // 2].cos()
    return table


def alibi_slopes(n_heads: int) -> Float[Tensor, "n_heads"]:
    r"""One slope per head: :math:`2^{-8 h / H}` for :math:`h = 1, \dots, H`, in float64.

    Where :math:`H` is not a power of 2, the slopes of the power below it come first, then every other one of
    twice that power.

    Raises
    ------
    ValueError
        If there is no head.

    Source: Press et al. (2022)
    """
    check_positive(n_heads=n_heads)
    power = 1 << (n_heads.bit_length() - 1)
    slopes = [2 ** (-8 * h / power) for h in range(1, power + 1)]
    slopes += [2 ** (-4 * h / power) for h in range(1, 2 * (n_heads - power), 2)]
    return torch.tensor(slopes, dtype=torch.float64)


def angles(n_positions: int, d: int, base: float) -> Float[Tensor, "n_positions half"]:
    r""":math:`k / b^{2i/d}` for each position :math:`k` and each pair of features :math:`i`, in float64."""
    exponents = torch.arange(0, d, 2, dtype=torch.float64) / d
    positions = torch.arange(n_positions, dtype=torch.float64)
    return positions[:, None] / base**exponents


def _turn(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(turned, dim=-1).flatten(-2).to(x.dtype)


def _distances(query: Tensor, n_keys: int, start: Start) -> Int[Tensor, "*batch queries keys"]:
    if isinstance(start, Tensor):  # nothing was read before, so queries and keys stand at the same places
        return (start[:, None, :] - start[:, :, None]).long()[:, None]  # (batch, 1, queries, keys)
    keys = torch.arange(n_keys, device=query.device)
    queries = torch.arange(start, start + query.shape[-2], device=query.device)
    return keys - queries[:, None]
