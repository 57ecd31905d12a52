"""What attention remembers of the positions it has read, so that each is read once (chapter 14)."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int, Num
from torch import Tensor

from transformer_lib.transformer.masks import Mask

__all__ = ["DecoderState", "InputMemory", "KeyValueCache", "KeysValues"]

STALE = -1


class KeysValues(NamedTuple):
    """The keys and values of a sequence, head by head: all that attention needs of it."""

    key: Float[Tensor, "batch heads keys d_head"]
    value: Float[Tensor, "batch heads keys d_value"]


class KeyValueCache:
    """Keys and values of the ``length`` positions read so far, with room for ``capacity`` positions.

    Values are ``d_value`` wide, by default as wide as keys. ``options`` are the ``dtype`` and ``device`` of
    both. :meth:`append` writes in place, so that a step copies nothing that is there. ``version`` grows with
    every change: it tells whether somebody has written since.
    """

    def __init__(
        self,
        batch_size: int,
        n_heads: int,
        capacity: int,
        d_head: int,
        d_value: int | None = None,
        **options: Any,
    ) -> None:
        d_value = d_head if d_value is None else d_value
        # What lies beyond `length` is never read, so it may be anything.
        self.key = torch.empty(batch_size, n_heads, capacity, d_head, **options)
        self.value = torch.empty(batch_size, n_heads, capacity, d_value, **options)
        self.capacity, self.length, self.version = capacity, 0, 0
        self._spare: KeysValues | None = None

    @classmethod
    def over(cls, memory: KeysValues, length: int) -> "KeyValueCache":
        """A cache in this memory, of which the first ``length`` positions have been read."""
        cache = cls.__new__(cls)
        cache.key, cache.value = memory
        cache.capacity, cache.length, cache.version, cache._spare = memory.key.shape[2], length, 0, None
        return cache

    @property
    def start(self) -> int | Int[Tensor, "batch time"]:
        """Where the first of the positions to be added stands."""
        return self.length

    def append(
        self, key: Num[Tensor, "batch heads new d_head"], value: Num[Tensor, "batch heads new d_value"]
    ) -> KeysValues:
        """Add positions; return all that have been read. A ``ValueError`` if they do not fit."""
        if len(key) != len(self.key):
            raise ValueError(f"the cache has {len(self.key)} rows; got keys and values of {len(key)}")
        begin, new = self.length, key.shape[2]
        end = begin + new
        if end > self.capacity:
            raise ValueError(f"the cache holds {self.capacity} positions: {begin} and {new} more do not fit")
        self.key.narrow(2, begin, new).copy_(key)  # (batch, heads, new, d_head)
        self.value.narrow(2, begin, new).copy_(value)  # (batch, heads, new, d_value)
        self.length, self.version = end, self.version + 1
        return KeysValues(self.key.narrow(2, 0, end), self.value.narrow(2, 0, end))

    @torch.no_grad()
    def reorder(self, rows: Int[Tensor, "batch"]) -> None:
        """Let row ``i`` hold what row ``rows[i]`` held. Two memories take turns: none is allocated.

        Another number of rows than the cache has is a ``ValueError``; :meth:`select` takes any.
        """
        if len(rows) != len(self.key):
            raise ValueError(f"the cache has {len(self.key)} rows; got {len(rows)}: select takes any number")
        if self._spare is None:
            self._spare = KeysValues(torch.empty_like(self.key), torch.empty_like(self.value))
        self._copy(rows, *self._spare)
        (self.key, self.value), self._spare = self._spare, KeysValues(self.key, self.value)
        self.version += 1

    @torch.no_grad()
    def select(self, rows: Int[Tensor, "selected"]) -> "KeyValueCache":
        """A copy that consists of these rows of the batch, without gradients."""
        _, n_heads, capacity, d_head = self.key.shape
        where = {"dtype": self.key.dtype, "device": self.key.device}
        chosen = KeyValueCache(len(rows), n_heads, capacity, d_head, self.value.shape[-1], **where)
        self._copy(rows, chosen.key, chosen.value)
        chosen.length, chosen.version = self.length, 1
        return chosen

    def _copy(self, rows: Tensor, key: Tensor, value: Tensor) -> None:
        for memory, written in ((self.key, key), (self.value, value)):
            # (batch, heads, length, width), and (selected, heads, length, width)
            read, place = (whole.narrow(2, 0, self.length) for whole in (memory, written))
            torch.index_select(read, 0, rows, out=place)


@dataclass
class InputMemory:
    """What Transformer-XL remembers for a block: at most the ``longest`` latest inputs, without gradients."""

    inputs: Float[Tensor, "batch read d_model"]
    longest: int

    def append(self, x: Float[Tensor, "batch time d_model"]) -> Float[Tensor, "batch _ d_model"]:
        """Remember ``x``; return it with what was remembered before in front of it."""
        together = torch.cat([self.inputs, x], dim=1)  # (batch, read + time, d_model)
        self.inputs = together[:, -self.longest :].detach()  # (batch, at most longest, d_model)
        return together


@dataclass
class DecoderState:
    """What a decoder has read.

    Attributes
    ----------
    tokens : Tensor
        The latest tokens, at most ``context_length`` per row.
    caches : list of KeyValueCache or None
        Keys and values of all of them, for each block; ``None`` once the context is full.
    version : int
        The caches' version when the last token was read: it differs once another state has continued them.
    memory : list of KeysValues or None
        The source's keys and values, for each block.
    source_lengths, sources : Tensor or None
        How long each source is, and which source each row belongs to.
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

        If there are as many as before, it takes over the caches, as a step does: this state then has to read
        its tokens again. The memory is copied only if its sources change: beams of one source share it.
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
            version = STALE  # another continuation has written into the caches since
        memory, lengths, sources = self.memory, self.source_lengths, self.sources
        if memory is not None and sources is not None:
            sources, n_sources = sources[rows], len(memory[0].key)  # (selected,)
            share, rest = divmod(len(rows), max(1, n_sources))
            # Cross-attention shares a memory out in this order, equally many rows each: (n_sources * share,)
            in_order = torch.arange(n_sources, device=rows.device).repeat_interleave(share)
            if rest or not share or not torch.equal(sources, in_order):
                # (selected, heads, keys, width) each
                memory = [KeysValues(layer.key[sources], layer.value[sources]) for layer in memory]
                lengths = None if lengths is None else lengths[sources]  # (selected,)
                sources = torch.arange(len(rows), device=rows.device)
        return DecoderState(self.tokens[rows], caches, version, memory, lengths, sources)
