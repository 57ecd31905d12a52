"""What may attend to what: one value, composed with ``&``.

A mask keeps the cheapest form of what it means - a causal flag, a window, one length per sequence, or a dense
Boolean matrix - and becomes a matrix only where one is needed, so that fused causal kernels stay in use.
Everywhere in the library ``True`` means *may attend*. Chapter 8 teaches masking.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from transformer_lib.checks import check_whole

__all__ = ["Mask"]


@dataclass(frozen=True, eq=False)
class Mask:
    r"""Query :math:`i` of sequence :math:`b` may attend to key :math:`j` when *all* of these hold.

    A ``dense`` that is not Boolean, ``key_lengths`` that are not one integer per sequence, and a ``reach``
    below 1 are a ``ValueError``.

    Parameters
    ----------
    is_causal
        :math:`j \le i + (\text{keys} - \text{queries})`: with fewer queries than keys, the queries are the
        last positions, as when earlier keys come from a cache.
    key_lengths
        :math:`j < \mathtt{key\_lengths}_b`: the rest of the sequence is padding.
    dense
        ``dense[..., i, j]``, broadcast to the scores, whose dimensions usually are batch, head, query, key:
        so (queries, keys) is for all, and (batch, 1, queries, keys) for each sequence. Of three dimensions
        the first is then the head.
    reach
        :math:`j > i + (\text{keys} - \text{queries}) - \mathtt{reach}`: earlier keys are out of reach.

    Source: T4; S6 for the causal case.
    """

    is_causal: bool = False
    key_lengths: Int[Tensor, "batch"] | None = None
    dense: Bool[Tensor, "*batch queries keys"] | None = None
    reach: int | None = None

    def __post_init__(self) -> None:
        dense, lengths = self.dense, self.key_lengths
        for what, given in (("a dense mask", dense), ("key lengths", lengths)):
            if given is not None and not isinstance(given, Tensor):
                raise ValueError(f"{what} must be a tensor of torch, got a {type(given).__name__}")
        if dense is not None and (dense.dtype != torch.bool or dense.ndim < 2):
            right = "Boolean, (..., queries, keys), True where a query may attend"
            raise ValueError(f"a dense mask must be {right}; got {dense.dtype}, {tuple(dense.shape)}")
        if lengths is not None and (lengths.is_floating_point() or lengths.ndim != 1):
            got = f"{lengths.dtype}, {tuple(lengths.shape)}"
            raise ValueError(f"key lengths must be one integer per sequence; got {got}")
        if self.reach is not None:
            check_whole("window", self.reach, 1)

    @classmethod
    def full(cls) -> "Mask":
        """Everything may attend to everything."""
        return cls()

    @classmethod
    def causal(cls) -> "Mask":
        """No position attends to a later one."""
        return cls(is_causal=True)

    @classmethod
    def window(cls, n: int) -> "Mask":
        """Each position attends to itself and the ``n - 1`` positions before it."""
        return cls(is_causal=True, reach=n)

    @classmethod
    def from_key_lengths(cls, lengths: Int[Tensor, "batch"]) -> "Mask":
        """Only the first ``lengths[b]`` keys of sequence ``b`` are attended to; 0 leaves none."""
        return cls(key_lengths=lengths)

    @classmethod
    def from_dense(cls, dense: Bool[Tensor, "*batch queries keys"]) -> "Mask":
        """``dense[..., i, j]`` says whether query ``i`` may attend to key ``j``.

        One mask for each sequence has the shape (batch, 1, queries, keys).
        """
        return cls(dense=dense)

    def __and__(self, other: "Mask") -> "Mask":
        """The mask that allows what both allow; a ``ValueError`` if their shapes do not fit together."""
        key_lengths = self.key_lengths if other.key_lengths is None else other.key_lengths
        if self.key_lengths is not None and other.key_lengths is not None:
            sizes = len(self.key_lengths), len(other.key_lengths)
            if sizes[0] != sizes[1]:
                raise ValueError(f"the masks have lengths for {sizes[0]} and {sizes[1]} sequences")
            key_lengths = torch.minimum(self.key_lengths, other.key_lengths)  # (batch,)
        dense = other.dense if self.dense is None else _both(self.dense, other.dense)
        reach = min((mask.reach for mask in (self, other) if mask.reach is not None), default=None)
        return Mask(self.is_causal or other.is_causal, key_lengths, dense, reach)

    def to_dense(
        self, queries: int, keys: int, device: torch.device | str | None = None, *, ndim: int = 4
    ) -> Bool[Tensor, "*batch _ _"] | None:
        """The mask as one matrix that broadcasts to scores of ``ndim`` dimensions, (batch, ..., query, key).

        It is ``None`` where everything may attend to everything, and is made on ``device``, by default where
        the mask's own tensors are. Lengths that do not fit the mask are a ``ValueError``.
        """
        if device is None:
            device = next((part.device for part in (self.key_lengths, self.dense) if part is not None), None)
        matrix = None
        if self.dense is not None:
            matrix = self.dense.to(device)  # (..., queries, keys)
            if any(size not in (1, wanted) for size, wanted in zip(matrix.shape[-2:], (queries, keys))):
                has = f"{matrix.shape[-2]} queries and {matrix.shape[-1]} keys"
                raise ValueError(f"the dense mask is for {has}, the input has {queries} and {keys}")
        if self.key_lengths is not None:
            if ndim < 3:
                raise ValueError("key lengths need scores with a batch dimension")
            # (batch, 1, ..., 1), and as a mask (batch, 1, ..., keys)
            lengths = self.key_lengths.to(device).reshape(-1, *[1] * (ndim - 1))
            matrix = _both(torch.arange(keys, device=device) < lengths, matrix)
        if self.is_causal:
            if queries > keys:
                needs = "a causal mask needs at least as many keys as queries"
                raise ValueError(f"{needs}: {keys} keys, {queries} queries")
            # (queries, keys); the last query is at the last key
            everything = torch.ones(queries, keys, dtype=torch.bool, device=device)
            matrix = _both(everything.tril(keys - queries), matrix)
        if self.reach is not None:
            # (queries, keys); a query's own key is the last of its reach
            everything = torch.ones(queries, keys, dtype=torch.bool, device=device)
            matrix = _both(everything.triu(keys - queries - self.reach + 1), matrix)
        return matrix


def _both(first: Tensor, second: Tensor | None) -> Tensor:
    if second is None:
        return first
    try:
        return first & second
    except RuntimeError as error:
        shapes = f"{tuple(first.shape)} and {tuple(second.shape)}"
        raise ValueError(f"mask parts of shapes {shapes} do not broadcast together") from error
