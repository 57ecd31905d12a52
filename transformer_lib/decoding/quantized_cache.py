r"""A cache of keys and values in whole numbers of a few bits (chapter 17).

Each head's key, and each head's value, of each position is stored as codes from :math:`-(2^{b-1} - 1)` to
:math:`2^{b-1} - 1` and one step size, its largest absolute number over the largest code. What attention reads
back is off by half a step at most.
"""

from typing import Any

import torch
from jaxtyping import Float, Int, Int8
from torch import Tensor

from transformer_lib.transformer.cache import DecoderState, KeysValues, KeyValueCache

__all__ = ["QuantizedCache", "absmax_codes", "quantize_caches"]


def absmax_codes(
    x: Float[Tensor, "*batch width"], bits: int = 8
) -> tuple[Int8[Tensor, "*batch width"], Float[Tensor, "*batch 1"]]:
    """Codes of the last axis, and the size of a step for each vector; zeros have codes 0 and a step of 0.

    Raises
    ------
    ValueError
        If the codes would not fit: ``bits`` must be from 2 to 8.

    Source: Dettmers et al. (2022), section 2.1
    """
    if not 2 <= bits <= 8:
        raise ValueError(f"bits must be from 2 to 8, got {bits}")
    step = x.abs().amax(-1, keepdim=True) / (2 ** (bits - 1) - 1)  # (*batch, 1)
    codes = torch.where(step > 0, x / step, 0.0).round()  # (*batch, width)
    return codes.to(torch.int8), step


class QuantizedCache(KeyValueCache):
    """A :class:`KeyValueCache` whose keys and values are codes of ``bits`` bits, each vector with its step.

    Codes lie in bytes, whatever ``bits``: :attr:`bits_per_position` says what packed ones would take.

    Parameters
    ----------
    bits
        From 2 to 8.
    dtype
        What the steps are kept in, and what is read back.
    """

    def __init__(
        self,
        batch_size: int,
        n_heads: int,
        capacity: int,
        d_head: int,
        d_value: int | None = None,
        *,
        bits: int = 8,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
    ) -> None:
        absmax_codes(torch.zeros(1), bits)  # says what is wrong with bits
        super().__init__(batch_size, n_heads, capacity, d_head, d_value, dtype=torch.int8, device=device)
        self.bits = bits
        self.steps = KeyValueCache(batch_size, n_heads, capacity, 1, 1, dtype=dtype, device=device)

    @classmethod
    def like(cls, cache: KeyValueCache, bits: int = 8) -> "QuantizedCache":
        """An empty one with the sizes of ``cache``."""
        sizes = (*cache.key.shape, cache.value.shape[-1])
        return cls(*sizes, bits=bits, dtype=cache.key.dtype, device=cache.key.device)

    @property
    def bits_per_position(self) -> int:
        """What the codes and steps of one position of one row take, were the codes packed."""
        _, n_heads, _, d_head = self.key.shape
        of_a_step = 8 * self.steps.key.element_size()
        return n_heads * (self.bits * (d_head + self.value.shape[-1]) + 2 * of_a_step)

    def append(
        self, key: Float[Tensor, "batch heads new d_head"], value: Float[Tensor, "batch heads new d_value"]
    ) -> KeysValues:
        """Add positions; return all that have been read, the new ones too as they are read back."""
        (key_codes, key_step), (value_codes, value_step) = (absmax_codes(x, self.bits) for x in (key, value))
        codes, steps = super().append(key_codes, value_codes), self.steps.append(key_step, value_step)
        return KeysValues(codes.key * steps.key, codes.value * steps.value)

    @torch.no_grad()
    def reorder(self, rows: Int[Tensor, "batch"]) -> None:
        """As for a cache of numbers."""
        super().reorder(rows)
        self.steps.reorder(rows)

    @torch.no_grad()
    def select(self, rows: Int[Tensor, "selected"]) -> "QuantizedCache":
        """As for a cache of numbers."""
        codes, steps = super().select(rows), self.steps.select(rows)
        chosen = QuantizedCache.__new__(QuantizedCache)
        vars(chosen).update(vars(codes) | {"bits": self.bits, "steps": steps})
        return chosen


def quantize_caches(state: DecoderState, bits: int = 8) -> DecoderState:
    """A state in which nothing has been read, with caches of codes in place of its own.

    A cache that has been read into is a ``ValueError``.
    """
    caches: list[Any] = list(state.caches or [])
    if any(cache.length for cache in caches) or not caches:
        raise ValueError("take a state in which nothing has been read, with its caches")
    made: list[KeyValueCache] = [QuantizedCache.like(cache, bits) for cache in caches]
    return DecoderState(state.tokens, made, 0, state.memory, state.source_lengths, state.sources)
