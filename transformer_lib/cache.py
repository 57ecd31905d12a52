"""What attention remembers of the positions it has read, so that each is read once (chapter 14)."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.masks import Mask

__all__ = ["DecoderState", "InputMemory", "KeyValueCache", "KeysValues"]

STALE = -1


class KeysValues(NamedTuple):
    """The keys and values of a sequence, head by head: all that attention needs of it."""

    key: Float[Tensor, "batch heads keys d_head"]
    value: Float[Tensor, "batch heads keys d_head"]


class KeyValueCache:
    """Keys and values of the positions read so far, in memory set aside for ``capacity`` positions.

    :meth:`append` writes in place, so that a step costs no copy of what is there.

    Parameters
    ----------
    batch_size, n_heads, capacity, d_head
        The sizes of the memory.
    dtype, device
        Those of the model.

    Attributes
    ----------
    length : int
        Positions read.
    version : int
        Grows with every :meth:`append` and :meth:`reorder`: whoever remembers it can tell whether others have
        written since.
    """

    def __init__(
        self,
        batch_size: int,
        n_heads: int,
        capacity: int,
        d_head: int,
        *,
        dtype: torch.dtype | None = None,
        device: torch.device | None = None,
    ) -> None:
        shape = (batch_size, n_heads, capacity, d_head)
        self.key = torch.empty(shape, dtype=dtype, device=device)
        self.value = torch.empty(shape, dtype=dtype, device=device)
        self.length, self.version = 0, 0
        self._spare: KeysValues | None = None

    @property
    def capacity(self) -> int:
        """Positions that there is memory for."""
        return self.key.shape[2]

    def append(
        self,
        key: Float[Tensor, "batch heads new d_head"],
        value: Float[Tensor, "batch heads new d_head"],
    ) -> KeysValues:
        """Add positions; return all that have been read.

        Raises
        ------
        ValueError
            If there is no room for them.
        """
        begin, end = self.length, self.length + key.shape[2]
        if end > self.capacity:
            raise ValueError(
                f"the cache holds {self.capacity} positions: {begin} and {key.shape[2]} more do not fit"
            )
        self.key.narrow(2, begin, key.shape[2]).copy_(key)
        self.value.narrow(2, begin, key.shape[2]).copy_(value)
        self.length, self.version = end, self.version + 1
        return KeysValues(self.key.narrow(2, 0, end), self.value.narrow(2, 0, end))

    @torch.no_grad()
    def reorder(self, rows: Int[Tensor, "batch"]) -> None:
        """Let row ``i`` hold what row ``rows[i]`` held, without gradients.

        Two memories take turns, so that reordering at every step asks the system for none.
        """
        if self._spare is None:
            self._spare = KeysValues(torch.empty_like(self.key), torch.empty_like(self.value))
        self._copy(rows, *self._spare)
        (self.key, self.value), self._spare = self._spare, KeysValues(self.key, self.value)
        self.version += 1

    @torch.no_grad()
    def select(self, rows: Int[Tensor, "selected"]) -> "KeyValueCache":
        """A copy that consists of these rows of the batch, without gradients."""
        _, n_heads, capacity, d_head = self.key.shape
        chosen = KeyValueCache(
            len(rows), n_heads, capacity, d_head, dtype=self.key.dtype, device=self.key.device
        )
        self._copy(rows, chosen.key, chosen.value)
        chosen.length, chosen.version = self.length, 1
        return chosen

    def _copy(self, rows: Tensor, key: Tensor, value: Tensor) -> None:
        for memory, written in ((self.key, key), (self.value, value)):
            read, place = (whole.narrow(2, 0, self.length) for whole in (memory, written))
            torch.index_select(read, 0, rows, out=place)


@dataclass
class InputMemory:
    """The inputs that a block has read before its present ones: what Transformer-XL remembers.

    Attributes
    ----------
    inputs : Tensor
        At most ``longest`` per row, without gradients.
    longest : int
        How many are kept.
    """

    inputs: Float[Tensor, "batch read d_model"]
    longest: int

    def append(self, x: Float[Tensor, "batch time d_model"]) -> Float[Tensor, "batch _ d_model"]:
        """Remember ``x``; return it with what was remembered before in front of it."""
        together = torch.cat([self.inputs, x], dim=1)
        self.inputs = together[:, -self.longest :].detach()
        return together


@dataclass
class DecoderState:
    """What a decoder has read.

    Attributes
    ----------
    tokens : Tensor
        The latest tokens, at most ``context_length`` a row.
    caches : list of KeyValueCache or None
        Keys and values of all of them, layer by layer; ``None`` once the context is full.
    version : int
        The caches' version when the last token was read: if theirs is another, another state has gone on with
        them.
    memory : list of KeysValues or None
        The source's keys and values, layer by layer.
    source_lengths : Tensor or None
        How long each source is.
    sources : Tensor or None
        Which source each row belongs to.
    """

    tokens: Int[Tensor, "batch read"]
    caches: list[KeyValueCache] | None
    version: int = 0
    memory: list[KeysValues] | None = None
    source_lengths: Int[Tensor, "sources"] | None = None
    sources: Int[Tensor, "batch"] | None = None

    @property
    def memory_mask(self) -> Mask | None:
        """What of the memory is no padding."""
        return None if self.source_lengths is None else Mask.from_key_lengths(self.source_lengths)

    def select(self, rows: Int[Tensor, "selected"]) -> "DecoderState":
        """A state that consists of these rows.

        Where there are as many of them as before, it takes the caches over, as a step does: who goes on from
        this state afterwards reads its tokens anew. The memory is copied only where its sources are not the
        same, in the same order, with equally many rows each: beams of one source share it.
        """
        caches, version = self.caches, self.version
        if caches and caches[0].version == version:
            if len(rows) == len(self.tokens):
                for cache in caches:
                    cache.reorder(rows)
            else:
                caches = [cache.select(rows) for cache in caches]
            version = caches[0].version
        elif caches:
            version = STALE
        memory, lengths, sources = self.memory, self.source_lengths, self.sources
        if memory is not None:
            sources, n_sources = sources[rows], len(memory[0].key)
            share, rest = divmod(len(rows), max(1, n_sources))
            in_order = torch.arange(n_sources, device=rows.device).repeat_interleave(share)
            if rest or not share or not torch.equal(sources, in_order):
                memory = [KeysValues(layer.key[sources], layer.value[sources]) for layer in memory]
                lengths = None if lengths is None else lengths[sources]
                sources = torch.arange(len(rows), device=rows.device)
        return DecoderState(self.tokens[rows], caches, version, memory, lengths, sources)
