r"""Attention: a differentiable lookup, with many heads.

Two paths compute the same function. :func:`attention` is for use: it runs fused kernels and never forms
the weights. :func:`attention_weights` is for reading: it returns them, for plots and for exercises, and
``attention_weights(q, k, mask) @ v`` equals ``attention(q, k, v, mask)`` forward and backward. Chapter 6
teaches one head, chapter 7 many, chapter 8 the masks.
"""

from collections.abc import Iterable

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lib.cache import KeysValues, KeyValueCache
from transformer_lib.linear import linear, projection
from transformer_lib.masks import Mask
from transformer_lib.positions import Positions

__all__ = ["MultiHeadAttention", "attention", "attention_weights"]


def attention_weights(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    mask: Mask | None = None,
    scale: float | None = None,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    r"""Weights :math:`\alpha_{ij} = \mathrm{softmax}_j(s \langle q_i, k_j \rangle + b_{ij})` over the keys.

    Parameters
    ----------
    query, key
        The vectors :math:`q_i` and :math:`k_j`.
    mask
        What may attend to what; ``None`` allows everything.
    scale
        The factor :math:`s`; ``None`` means :math:`1/\sqrt{d_\text{head}}`.
    bias
        :math:`b_{ij}`, added to the scaled scores, to whose shape it broadcasts.

    Returns
    -------
    Weights that are 0 where the mask forbids and sum to 1 over the keys, except in the rows of queries that
    may attend to nothing, which are 0.

    Raises
    ------
    ValueError
        If the mask does not fit the scores.

    Source: N2, S8, K13; T4 for the mask.
    """
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = (query * scale) @ key.mT
    if bias is not None:
        scores = scores + bias
    allowed = None if mask is None else _dense(mask, query, key)
    if allowed is None:
        return scores.softmax(-1)
    allowed, blind = _open_blind_rows(allowed)
    masked = scores.masked_fill(~allowed, -torch.inf)
    return masked.softmax(-1).masked_fill(blind, 0.0)


def attention(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    value: Float[Tensor, "*batch keys d_value"],
    mask: Mask | None = None,
    scale: float | None = None,
    dropout: float = 0.0,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch queries d_value"]:
    r"""Attention :math:`a_i = \sum_j \alpha_{ij} v_j` by the fastest kernel that PyTorch has for the device.

    Parameters
    ----------
    query, key, value
        The vectors :math:`q_i`, :math:`k_j` and :math:`v_j`.
    mask
        What may attend to what; ``None`` allows everything. A query that may attend to nothing gets zeros,
        and sends back a gradient of zero.
    scale
        The factor of the scores; ``None`` means :math:`1/\sqrt{d_\text{head}}`.
    dropout
        Each weight is zeroed with this probability and the others grow by ``1 / (1 - dropout)``. It applies
        whenever it is positive: pass 0 outside training.
    bias
        As for :func:`attention_weights`.

    Raises
    ------
    ValueError
        If the mask does not fit the scores.

    Source: T1, G5, and N3 for one head; S15 for dropout.
    """
    queries, keys = query.shape[-2], key.shape[-2]
    if keys == 0:
        return (query @ key.mT) @ value
    fused = {"dropout_p": dropout, "scale": scale}
    if bias is None and (mask is None or _allows_everything(mask, queries)):
        return F.scaled_dot_product_attention(query, key, value, **fused)
    if bias is None and _is_causal_only(mask) and queries == keys:
        return F.scaled_dot_product_attention(query, key, value, is_causal=True, **fused)
    allowed = None if mask is None else _dense(mask, query, key)
    if allowed is None:
        return F.scaled_dot_product_attention(query, key, value, attn_mask=bias, **fused)
    allowed, blind = _open_blind_rows(allowed)
    if bias is not None:
        allowed = bias.masked_fill(~allowed, -torch.inf)
    mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, **fused)
    return mixed.masked_fill(blind, 0.0)


def _is_causal_only(mask: Mask) -> bool:
    return mask.is_causal and mask.key_lengths is None and mask.dense is None


def _allows_everything(mask: Mask, queries: int) -> bool:
    """A lone query is the last position, so that a causal mask hides nothing from it."""
    return mask.key_lengths is None and mask.dense is None and (queries == 1 or not mask.is_causal)


def _dense(mask: Mask, query: Tensor, key: Tensor) -> Tensor | None:
    scores = (*query.shape[:-1], key.shape[-2])
    allowed = mask.to_dense(*scores[-2:], query.device, ndim=len(scores))
    if allowed is not None and not _fits(allowed.shape, scores):
        raise ValueError(f"a mask of shape {tuple(allowed.shape)} does not broadcast to the scores' {scores}")
    return allowed


def _fits(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether ``shape`` broadcasts to ``target``."""
    return len(shape) <= len(target) and all(
        size in (1, wanted) for size, wanted in zip(reversed(shape), reversed(target))
    )


def _open_blind_rows(
    allowed: Bool[Tensor, "*batch queries keys"],
) -> tuple[Bool[Tensor, "*batch queries keys"], Bool[Tensor, "*batch queries 1"]]:
    """Open the rows that allow nothing, and say which they are.

    A softmax over nothing is NaN, forward or backward, on some backends. Letting such a row see everything
    and then replacing what it saw by zeros is finite on all of them.
    """
    blind = ~allowed.any(-1, keepdim=True)
    return allowed | blind, blind


class MultiHeadAttention(nn.Module):
    r"""Attention by :math:`H` heads.

    .. math:: u'_i = \sum_h W_{c,h}^\top \sum_j \alpha^{(h)}_{ij} W_{h,v}^\top x_j

    The projections of all heads are one matrix product, ``qkv``; the sum over heads is one more, ``output``,
    applied to their concatenation.

    Parameters
    ----------
    d_model
        The width of inputs and outputs.
    n_heads
        The number of heads :math:`H`.
    d_head
        The width of one head; by default ``d_model / n_heads``.
    bias
        Whether the four projections have biases (the note's have none).
    dropout
        The probability of dropping an attention weight during training.
    positions
        A scheme that acts on queries, keys or scores, for attention of a sequence to itself.
    generator
        The source of the initial weights: normal, variance 1 / (number of inputs), biases zero.

    Raises
    ------
    ValueError
        If a size is below 1, ``dropout`` is no probability, or ``n_heads`` does not divide ``d_model`` and
        ``d_head`` is not given.

    Source: N1, N2, N3, S7, S8, S9, T2, T3, K12, K13, K14, K15; S15 for dropout.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        d_head: int | None = None,
        bias: bool = False,
        dropout: float = 0.0,
        positions: Positions | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        if d_model < 1 or n_heads < 1 or (d_head is not None and d_head < 1):
            raise ValueError(
                f"sizes must be at least 1; got d_model={d_model}, n_heads={n_heads}, d_head={d_head}"
            )
        if d_head is None:
            if d_model % n_heads:
                raise ValueError(f"d_model={d_model} is not a multiple of n_heads={n_heads}: give d_head too")
            d_head = d_model // n_heads
        if not 0 <= dropout <= 1:
            raise ValueError(f"dropout must be a probability, from 0 to 1; got {dropout}")
        self.d_model, self.n_heads, self.d_head, self.dropout = d_model, n_heads, d_head, dropout
        self.qkv = projection(d_model, 3 * n_heads * d_head, bias=bias, generator=generator)
        self.output = projection(n_heads * d_head, d_model, bias=bias, generator=generator)
        self.positions = Positions() if positions is None else positions

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        context: Float[Tensor, "batch keys d_model"] | KeysValues | None = None,
        mask: Mask | None = None,
        *,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """What each position of ``x`` gathers from ``context``, or from ``x`` itself where there is none.

        Parameters
        ----------
        context
            What is attended to: a sequence, or what :meth:`keys_values` made of it.
        mask
            What may attend to what.
        cache
            Keys and values of the positions before ``x``, to which those of ``x`` are added.
        """
        query, key, value, bias = self._project(x, context, cache)
        dropout = self.dropout if self.training else 0.0
        mixed = attention(query, key, value, mask, dropout=dropout, bias=bias)
        return self.output(mixed.transpose(1, 2).flatten(2))

    def weights(
        self,
        x: Float[Tensor, "batch queries d_model"],
        context: Float[Tensor, "batch keys d_model"] | None = None,
        mask: Mask | None = None,
    ) -> Float[Tensor, "batch heads queries keys"]:
        r"""The weights :math:`\alpha^{(h)}_{ij}` that :meth:`forward` uses, before dropout."""
        query, key, _, bias = self._project(x, context, None)
        return attention_weights(query, key, mask, bias=bias)

    def keys_values(self, context: Float[Tensor, "batch keys d_model"]) -> KeysValues:
        """The keys and values of ``context``, projected once for however many queries."""
        width = self.n_heads * self.d_head
        bias = None if self.qkv.bias is None else self.qkv.bias[width:]
        projected = linear(context, self.qkv.weight[width:], bias)
        return KeysValues(*(self._heads(part) for part in projected.chunk(2, dim=-1)))

    def new_cache(self, batch_size: int, capacity: int) -> KeyValueCache:
        """An empty cache for this layer."""
        weight = self.qkv.weight
        return KeyValueCache(
            batch_size, self.n_heads, capacity, self.d_head, dtype=weight.dtype, device=weight.device
        )

    def _project(
        self, x: Tensor, context: Tensor | KeysValues | None, cache: KeyValueCache | None
    ) -> tuple[
        Float[Tensor, "batch heads queries d_head"],
        Float[Tensor, "batch heads keys d_head"],
        Float[Tensor, "batch heads keys d_head"],
        Float[Tensor, "_ heads queries keys"] | None,
    ]:
        if context is not None:
            width = self.n_heads * self.d_head
            bias = None if self.qkv.bias is None else self.qkv.bias[:width]
            query = self._heads(linear(x, self.qkv.weight[:width], bias))
            key, value = context if isinstance(context, KeysValues) else self.keys_values(context)
            return query, key, value, None
        together = self.qkv(x).view(*x.shape[:-1], 3, self.n_heads, self.d_head)
        query, key, value = (part.transpose(1, 2) for part in together.unbind(2))
        start = 0 if cache is None else cache.length
        query, key = self.positions.rotate(query, key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        return query, key, value, self.positions.score_bias(query, key.shape[2], start)

    def _heads(self, x: Float[Tensor, "batch time width"]) -> Float[Tensor, "batch heads time d_head"]:
        return x.view(*x.shape[:-1], self.n_heads, self.d_head).transpose(1, 2)

    def note_parameters(self) -> dict[str, list[Tensor]]:
        """The note's matrices, as copies: ``W_q``, ``W_k``, ``W_v`` and ``W_c``, each a list over the heads.

        ``W_q[h]``, ``W_k[h]`` and ``W_v[h]`` have shape ``(d_model, d_head)``, ``W_c[h]`` the transposed one.

        Raises
        ------
        ValueError
            If the module has biases, which the note's equations do not.

        Source: N1, N2, N3.
        """
        self._check_it_is_the_notes()
        W_q, W_k, W_v = self.qkv.weight.detach().unflatten(0, (3, self.n_heads, self.d_head)).mT.clone()
        W_c = self.output.weight.detach().T.unflatten(0, (self.n_heads, self.d_head)).clone()
        return {"W_q": list(W_q), "W_k": list(W_k), "W_v": list(W_v), "W_c": list(W_c)}

    @torch.no_grad()
    def load_note_parameters(
        self,
        W_q: Iterable[Tensor | np.ndarray],
        W_k: Iterable[Tensor | np.ndarray],
        W_v: Iterable[Tensor | np.ndarray],
        W_c: Iterable[Tensor | np.ndarray],
    ) -> None:
        """Take the note's matrices, shaped as :meth:`note_parameters` gives them.

        Raises
        ------
        ValueError
            If the number of heads or a shape is wrong, or if the module has biases.

        Source: N1, N2, N3.
        """
        self._check_it_is_the_notes()
        inwards, outwards = (self.d_model, self.d_head), (self.d_head, self.d_model)
        projections = [
            self._stack(name, matrices, inwards)
            for name, matrices in (("W_q", W_q), ("W_k", W_k), ("W_v", W_v))
        ]
        outputs = self._stack("W_c", W_c, outwards)
        self.qkv.weight.copy_(torch.stack(projections).mT.flatten(0, 2))
        self.output.weight.copy_(outputs.flatten(0, 1).T)

    def _check_it_is_the_notes(self) -> None:
        if self.qkv.bias is not None:
            raise ValueError("the note's attention has no biases: build MultiHeadAttention with bias=False")

    def _stack(
        self, name: str, matrices: Iterable[Tensor | np.ndarray], shape: tuple[int, int]
    ) -> Float[Tensor, "heads rows columns"]:
        per_head = [torch.as_tensor(matrix) for matrix in matrices]
        if len(per_head) != self.n_heads:
            raise ValueError(f"{name} has {len(per_head)} matrices; {self.n_heads}, one a head, is right")
        for head, matrix in enumerate(per_head):
            if matrix.shape != shape:
                raise ValueError(f"{name}[{head}] has shape {tuple(matrix.shape)}; {shape} is right")
        return torch.stack(per_head)
