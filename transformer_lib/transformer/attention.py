r"""Attention: a differentiable lookup, with many heads.

Two paths compute the same function. :func:`attention` is for use: it runs fused kernels and never forms the
weights. :func:`attention_weights` is for reading: it returns them, for plots and exercises, and
``attention_weights(q, k, mask) @ v`` equals ``attention(q, k, v, mask)`` forward and backward. (Where
activations reach millions, as in a deep stack without normalizations, the gradients of the fused kernel for
processors are wrong; inside ``torch.nn.attention.sdpa_kernel(SDPBackend.MATH)`` they are right.) Chapter 6
teaches one head, chapter 7 many, chapter 8 the masks, chapter 9 the positions.
"""

from typing import Literal

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lib.checks import check_divides, check_positive, check_probability
from transformer_lib.initialization import projection
from transformer_lib.transformer.cache import KeysValues, KeyValueCache
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import HOOKS, Positions

__all__ = [
    "CrossAttention",
    "MultiHeadAttention",
    "attention",
    "attention_weights",
    "dense_mask",
    "for_each_query_head",
    "kernel_form",
    "masked_softmax",
]

NO_MASK = (
    "mask must be a Mask or None; got a {}: Mask.from_dense(...) takes a Boolean tensor that is True where a "
    "query may attend"
)


def attention_weights(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*shared keys d_head"],
    mask: Mask | None = None,
    scale: float | None = None,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    r"""Weights :math:`\alpha_{ij} = \mathrm{softmax}_j(s \langle q_i, k_j \rangle + b_{ij})` over the keys.

    They are 0 where the mask forbids and sum to 1 over the keys, except for queries that may attend to
    nothing, whose weights are all 0. Keys may have fewer heads than queries, as :func:`for_each_query_head`
    says. A mask that is not a :class:`Mask` is a ``TypeError``, one that does not
    fit the scores a ``ValueError``.

    Parameters
    ----------
    mask
        What may attend to what; ``None`` allows everything.
    scale, bias
        The factor :math:`s`, by default :math:`1/\sqrt{d_\text{head}}`, and :math:`b_{ij}`, broadcast to the
        scores.

    Source: N2, S8, K13; T4 for the mask.
    """
    key = for_each_query_head(key, query)  # (*batch, keys, d_head)
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = (query * scale) @ key.mT  # (*batch, queries, keys)
    if bias is not None:
        scores = scores + bias
    return masked_softmax(scores, dense_mask(mask, query, key))


def masked_softmax(
    scores: Float[Tensor, "*batch queries keys"], allowed: Bool[Tensor, "..."] | None
) -> Float[Tensor, "*batch queries keys"]:
    """The softmax over the keys that are allowed; a row that allows nothing becomes 0."""
    if allowed is None:
        return scores.softmax(-1)
    allowed, blind = _open_blind_rows(allowed)  # blind: (..., queries, 1)
    masked = scores.masked_fill(~allowed, -torch.inf)
    return masked.softmax(-1).masked_fill(blind, 0.0)


def attention(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*shared keys d_head"],
    value: Float[Tensor, "*shared keys d_value"],
    mask: Mask | None = None,
    scale: float | None = None,
    dropout: float = 0.0,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch queries d_value"]:
    r"""Attention :math:`a_i = \sum_j \alpha_{ij} v_j` by the fastest kernel that PyTorch has for the device.

    Arguments and errors are those of :func:`attention_weights`. A query that may attend to nothing gets
    zeros, and sends back a gradient of zero. With ``dropout``, which must be 0 outside training, each weight
    is zeroed with this probability and the others grow by ``1 / (1 - dropout)``.

    Source: T1, G5, and N3 for one head; S15 for dropout.
    """
    queries, keys = query.shape[-2], key.shape[-2]
    if keys == 0:
        return attention_weights(query, key, mask, scale, bias) @ for_each_query_head(value, query)
    # Fused kernels let several heads of queries read one head of keys and values without a copy.
    grouped = query.shape[-3:-2] != key.shape[-3:-2]
    if grouped:
        _queries_per_head(key, query)  # refuses what cannot be shared
    form = kernel_form(mask, queries, keys)
    # A kernel takes the causal square by name or a matrix, not both.
    if form == "full" or (form == "causal" and bias is None):
        causal = form == "causal"
        return F.scaled_dot_product_attention(
            query, key, value, bias, dropout, causal, scale=scale, enable_gqa=grouped
        )  # (*batch, queries, d_value)
    allowed = dense_mask(mask, query, key)  # broadcasts to (*batch, queries, keys)
    assert allowed is not None
    allowed, blind = _open_blind_rows(allowed)
    if bias is not None:
        allowed = bias.masked_fill(~allowed, -torch.inf)
    mixed = F.scaled_dot_product_attention(
        query, key, value, attn_mask=allowed, dropout_p=dropout, scale=scale, enable_gqa=grouped
    )  # (*batch, queries, d_value)
    return mixed.masked_fill(blind, 0.0)


def kernel_form(mask: Mask | None, queries: int, keys: int) -> Literal["full", "causal", "dense"]:
    """The cheapest form of a mask for so many queries and keys.

    ``"full"`` hides nothing (a lone query is the last position, so causality hides nothing from it);
    ``"causal"`` is the square that fused kernels know; anything else needs a ``"dense"`` matrix.

    Raises
    ------
    TypeError
        If it is not a :class:`Mask`.
    """
    if mask is None:
        return "full"
    if not isinstance(mask, Mask):
        raise TypeError(NO_MASK.format(type(mask).__name__))
    is_out_of_reach = mask.reach is not None and mask.reach < keys  # a reach of all keys hides none
    if mask.key_lengths is not None or mask.dense is not None or is_out_of_reach:
        return "dense"
    if not mask.is_causal or queries == 1:
        return "full"
    return "causal" if queries == keys else "dense"


def for_each_query_head(
    shared: Float[Tensor, "*shared keys width"], query: Float[Tensor, "*batch queries d_head"]
) -> Float[Tensor, "*batch keys width"]:
    r"""Keys or values of :math:`G` heads, once for each of the :math:`H` heads of queries that share them.

    Head :math:`h` of the queries reads head :math:`\lfloor h G / H \rfloor`. Fused kernels do this without a
    copy, so :func:`attention` takes fewer heads of keys and values as they are.

    Raises
    ------
    ValueError
        If :math:`H` is no multiple of :math:`G`.

    Source: Ainslie et al. (2023); Shazeer (2019) for :math:`G = 1`
    """
    if query.shape[-3:-2] == shared.shape[-3:-2]:
        return shared
    return shared.repeat_interleave(_queries_per_head(shared, query), dim=-3)


def _queries_per_head(shared: Tensor, query: Tensor) -> int:
    """How many heads of queries share one head of keys or values, which are not as many."""
    heads, shares = query.shape[-3:-2], shared.shape[-3:-2]  # () where there are no heads
    if not heads or not shares or shares[0] == 0 or heads[0] % shares[0]:
        one, other = (size[0] if size else "no" for size in (heads, shares))
        raise ValueError(f"{one} heads of queries cannot share {other} heads of keys and values evenly")
    return heads[0] // shares[0]


def dense_mask(mask: Mask | None, query: Tensor, key: Tensor) -> Bool[Tensor, "..."] | None:
    """The mask as a tensor that broadcasts to the scores of queries and keys.

    Raises
    ------
    TypeError
        If it is not a :class:`Mask`.
    ValueError
        If it does not fit the scores.
    """
    if mask is None:
        return None
    scores = (*query.shape[:-1], key.shape[-2])
    if not isinstance(mask, Mask):
        raise TypeError(NO_MASK.format(type(mask).__name__))
    allowed = mask.to_dense(
        query.shape[-2], key.shape[-2], query.device, ndim=len(scores)
    )  # (..., queries, keys)
    if allowed is not None:
        sizes = zip(reversed(allowed.shape), reversed(scores))
        if allowed.ndim > len(scores) or any(size not in (1, wanted) for size, wanted in sizes):
            shape = tuple(allowed.shape)
            raise ValueError(f"a mask of shape {shape} does not broadcast to the scores' {scores}")
    return allowed


def _open_blind_rows(allowed: Bool[Tensor, "*batch queries keys"]) -> tuple[Tensor, Tensor]:
    """Open the rows that allow nothing, and say which they are."""
    # A softmax over nothing is NaN, forward or backward, on some backends. Letting such a row see everything
    # and then replacing what it saw by zeros is finite on all of them.
    blind = ~allowed.any(-1, keepdim=True)  # (*batch, queries, 1)
    return allowed | blind, blind


class MultiHeadAttention(nn.Module):
    r"""Attention by :math:`H` heads.

    .. math:: u'_i = \sum_h W_{c,h}^\top \sum_j \alpha^{(h)}_{ij} W_{h,v}^\top x_j

    The projections of all heads are one matrix product, ``qkv``; the sum over heads is one more, ``output``,
    applied to their concatenation. Sizes and probabilities that make no sense are a ``ValueError``.

    Parameters
    ----------
    n_kv_heads
        The heads of keys and values, by default ``n_heads``; each serves ``n_heads / n_kv_heads`` consecutive
        heads of queries. One is multi-query attention, a number in between grouped-query attention.
    d_head, d_value
        The width of one head's queries and keys, by default ``d_model / n_heads``, and of its values, by
        default ``d_head``.
    bias
        Whether the four projections have biases (the note's have none).
    dropout, output_dropout
        The probabilities of dropping an attention weight, and an output, during training.
    positions
        A scheme that acts within attention, for attention of a sequence to itself. One that does not, or is
        made for heads of another number or width, is a ``ValueError``.
    std, join_std, generator
        The deviations of the initial ``qkv`` and ``output``, by default 1 / sqrt(number of inputs), and their
        source.

    Source: N1, N2, N3, S7, S8, S9, T2, T3, K12, K13, K14, K15; S15 for dropout; Shazeer (2019) and Ainslie et
    al. (2023) for ``n_kv_heads``
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        n_kv_heads: int | None = None,
        d_head: int | None = None,
        d_value: int | None = None,
        bias: bool = False,
        dropout: float = 0.0,
        output_dropout: float = 0.0,
        positions: Positions | None = None,
        std: float | None = None,
        join_std: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
        check_positive(d_model=d_model, n_heads=n_heads, n_kv_heads=n_kv_heads)
        check_divides("n_kv_heads", n_kv_heads, "n_heads", n_heads)
        if d_head is None:
            if d_model % n_heads:
                raise ValueError(f"d_model={d_model} is not a multiple of n_heads={n_heads}: give d_head too")
            d_head = d_model // n_heads
        d_value = d_head if d_value is None else d_value
        check_positive(d_head=d_head, d_value=d_value)
        check_probability("dropout", dropout)
        check_probability("output_dropout", output_dropout)
        self.d_model, self.n_heads, self.n_kv_heads = d_model, n_heads, n_kv_heads
        self.dropout, self.output_dropout = dropout, output_dropout
        self.d_head, self.d_value = d_head, d_value
        self.widths = [n_heads * d_head, n_kv_heads * d_head, n_kv_heads * d_value]
        self.qkv = projection(d_model, sum(self.widths), bias=bias, std=std, generator=generator)
        self.output = projection(n_heads * d_value, d_model, bias=bias, std=join_std, generator=generator)
        self.positions = Positions() if positions is None else positions
        sizes = {"n_heads": n_heads, "d_head": d_head, "d_value": d_value}
        self.positions.check_use(HOOKS[1:], "within attention", **sizes)

    def forward(
        self,
        x: Float[Tensor, "*batch queries d_model"],
        context: Float[Tensor, "*batch keys d_model"] | KeysValues | None = None,
        mask: Mask | None = None,
        *,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "*batch queries d_model"]:
        """What each position of ``x`` gathers from ``context``, or from ``x`` itself where there is none.

        The context is a sequence, or what :meth:`keys_values` made of it. Without one, ``cache`` holds the
        keys and values of the positions before ``x``, to which those of ``x`` are added, or says where each
        input stands. A sequence without a batch is a batch of one. Errors are those of :func:`attention`.
        """
        if isinstance(context, Tensor) and context.ndim != x.ndim:
            raise ValueError("inputs and context need a batch dimension both, or neither of them")
        if x.ndim == 2:
            context = context[None] if isinstance(context, Tensor) else context
            return self.forward(x[None], context, mask, cache=cache)[0]
        # (batch, heads, queries, d_head), (batch, kv_heads, keys, d_head), (batch, kv_heads, keys, d_value)
        query, key, value, bias = self._project(x, context, cache)
        dropout = self.dropout if self.training else 0.0  # kernels always drop
        gather = (self.positions.gather if context is None else None) or attention
        # (batch, heads, queries, d_value)
        found = gather(query, key, value, mask, dropout=dropout, bias=bias)
        # (batch, queries, heads * d_value), then (batch, queries, d_model)
        y = self.output(found.transpose(1, 2).flatten(2))
        return F.dropout(y, self.output_dropout, self.training)

    def weights(
        self,
        x: Float[Tensor, "*batch queries d_model"],
        context: Float[Tensor, "*batch keys d_model"] | None = None,
        mask: Mask | None = None,
    ) -> Float[Tensor, "*batch heads queries keys"]:
        r"""The weights :math:`\alpha^{(h)}_{ij}` that :meth:`forward` uses, before dropout."""
        if x.ndim == 2:
            context = context if context is None else context[None]
            return self.weights(x[None], context, mask)[0]
        query, key, _, bias = self._project(x, context, None)
        return attention_weights(query, key, mask, bias=bias)

    def keys_values(self, context: Float[Tensor, "batch keys d_model"]) -> KeysValues:
        """The keys and values of ``context``, projected once for however many queries."""
        queries, *widths = self.widths
        bias = None if self.qkv.bias is None else self.qkv.bias[queries:]
        # (batch, keys, kv_heads * width) each, then (batch, kv_heads, keys, width)
        parts = F.linear(context, self.qkv.weight[queries:], bias).split(widths, dim=-1)
        return KeysValues(*(part.unflatten(-1, (self.n_kv_heads, -1)).transpose(1, 2) for part in parts))

    def new_cache(self, batch_size: int, capacity: int) -> KeyValueCache:
        """An empty cache for this layer."""
        where = {"dtype": self.qkv.weight.dtype, "device": self.qkv.weight.device}
        return KeyValueCache(batch_size, self.n_kv_heads, capacity, self.d_head, self.d_value, **where)

    def _project(
        self, x: Tensor, context: Tensor | KeysValues | None, cache: KeyValueCache | None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        """Queries, keys and values, (batch, their heads, time, width), and the bias of the scores."""
        if x.ndim != 3:  # heads would be taken for places
            shapes = f"(batch, time, {self.d_model}) or (time, {self.d_model})"
            raise ValueError(f"inputs need the shape {shapes}; got {tuple(x.shape)}")
        if context is not None:
            queries = self.widths[0]
            bias = None if self.qkv.bias is None else self.qkv.bias[:queries]
            # (batch, queries, heads * d_head), then (batch, heads, queries, d_head)
            query = F.linear(x, self.qkv.weight[:queries], bias)
            query = query.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            key, value = context if isinstance(context, KeysValues) else self.keys_values(context)
            return query, key, value, None
        parts = self.qkv(x).split(self.widths, dim=-1)  # (batch, time, width) each
        heads = (self.n_heads, self.n_kv_heads, self.n_kv_heads)
        # (batch, time, heads, width) each, then (batch, heads, time, width)
        apart = (part.unflatten(-1, (n, -1)) for part, n in zip(parts, heads))
        query, key, value = (part.transpose(1, 2) for part in apart)
        start = 0 if cache is None else cache.start
        query, key = self.positions.rotate(query, key, start)
        if cache is not None:
            key, value = cache.append(key, value)  # all: (batch, kv_heads, keys, width)
        return query, key, value, self.positions.score_bias(query, key.shape[2], start)


class CrossAttention(MultiHeadAttention):
    """Attention of a sequence to a memory, which several sequences may share."""

    def forward(
        self,
        x: Float[Tensor, "*batch queries d_model"],
        context: Float[Tensor, "*sources keys d_model"] | KeysValues | None = None,
        mask: Mask | None = None,
        *,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "*batch queries d_model"]:
        """What each position of ``x`` gathers from the memory ``context``.

        Of several rows for each memory the first rows belong to the first, equally many each.

        Raises
        ------
        ValueError
            If there is no memory, or the rows cannot be shared out among the memories.
        """
        if context is None:
            raise ValueError("cross-attention needs a memory to attend to")
        if x.ndim == 2 or (isinstance(context, Tensor) and context.ndim != x.ndim):
            return super().forward(x, context, mask, cache=cache)
        sources = len(context.key if isinstance(context, KeysValues) else context)
        if len(x) == sources:
            return super().forward(x, context, mask)
        if sources == 0 or len(x) % sources:
            raise ValueError(f"{len(x)} sequences cannot be shared out among {sources} memories")
        # The beams of one source ask it together, as if they were one longer sequence.
        together = x.reshape(sources, -1, x.shape[-1])  # (sources, beams * queries, d_model)
        return super().forward(together, context, mask).reshape(x.shape)  # (batch, queries, d_model)
