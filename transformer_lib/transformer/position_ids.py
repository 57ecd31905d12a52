"""Positions that are given token by token, for texts that share a row or begin behind padding."""

from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.transformer.cache import KeysValues, KeyValueCache

__all__ = ["PlacedTokens"]


class PlacedTokens(KeyValueCache):
    """Instead of a cache: nothing was read before, and each token stands where it is said to stand."""

    def __init__(self, position_ids: Int[Tensor, "batch time"]) -> None:
        self.position_ids = position_ids

    @property
    def start(self) -> Int[Tensor, "batch time"]:
        """The position of each token."""
        return self.position_ids

    def append(
        self, key: Float[Tensor, "batch heads new d_head"], value: Float[Tensor, "batch heads new d_value"]
    ) -> KeysValues:
        """These keys and values alone: nothing is kept."""
        return KeysValues(key, value)
