"""Blocks that few models have (Macaron's, Transformer-XL's, attention alone), and what few calls ask for.

Chapter 19 compares the Macaron block with the standard one, chapter 17 measures what a memory is worth, and
chapter 8 needs attention alone.
"""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from transformer_lib.transformer.attention import CrossAttention, MultiHeadAttention
from transformer_lib.transformer.block import DEFAULTS, BlockOptions, PostNormBlock, TransformerBlock
from transformer_lib.transformer.cache import InputMemory, KeysValues, KeyValueCache
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import Positions

__all__ = [
    "BLOCKS",
    "AttentionOnlyBlock",
    "MacaronBlock",
    "MemoryBlock",
    "PlacedTokens",
    "PostNormMacaronBlock",
    "PostNormMemoryBlock",
]


class MacaronBlock(TransformerBlock):
    r"""Attention between two position-wise networks, each of which counts half; pre-norm.

    .. math::
        x' = x + \tfrac{1}{2} \mathrm{FF}_1(\mathrm{LN}_0(x)), \quad
        u = x' + \mathrm{MHA}(\mathrm{LN}_1(x')), \quad
        z = u + \tfrac{1}{2} \mathrm{FF}_2(\mathrm{LN}_2(u))

    Parameters
    ----------
    d_model, n_heads, d_ff, options, more
        Those of :class:`~transformer_lib.transformer.block.TransformerBlock`.

    Source: Lu et al. (2019)
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int | None = None,
        options: BlockOptions = DEFAULTS,
        **more: Any,
    ) -> None:
        super().__init__(d_model, n_heads, d_ff, options, **more)
        start = {name: more.get(name) for name in ("std", "join_std", "generator")}
        self.first_feed_forward = options.network(d_model, d_ff, **start)
        self.first_feed_forward_norm = options.norm(d_model)

    def forward(
        self,
        x: Float[Tensor, "*batch time d_model"],
        mask: Mask | None = None,
        *,
        memory: Float[Tensor, "*sources keys d_model"] | KeysValues | None = None,
        memory_mask: Mask | None = None,
        cache: KeyValueCache | InputMemory | None = None,
    ) -> Float[Tensor, "*batch time d_model"]:
        """The block's output :math:`z`; the arguments are those of ``TransformerBlock``."""
        x = x + self.first_feed_forward(self.first_feed_forward_norm(x)) / 2
        x = x + self.attention(self.attention_norm(x), mask=mask, cache=cache)
        if self.cross_attention is not None:
            x = x + self.cross_attention(self.cross_attention_norm(x), memory, memory_mask)
        return x + self.feed_forward(self.feed_forward_norm(x)) / 2


class PostNormMacaronBlock(MacaronBlock):
    """The Macaron block with a normalization behind each of its sums.

    Source: Lu et al. (2019)
    """

    def forward(
        self,
        x: Float[Tensor, "*batch time d_model"],
        mask: Mask | None = None,
        *,
        memory: Float[Tensor, "*sources keys d_model"] | KeysValues | None = None,
        memory_mask: Mask | None = None,
        cache: KeyValueCache | InputMemory | None = None,
    ) -> Float[Tensor, "*batch time d_model"]:
        """The block's output :math:`z`; the arguments are those of ``TransformerBlock``."""
        x = self.first_feed_forward_norm(x + self.first_feed_forward(x) / 2)
        x = self.attention_norm(x + self.attention(x, mask=mask, cache=cache))
        if self.cross_attention is not None:
            x = self.cross_attention_norm(x + self.cross_attention(x, memory, memory_mask))
        return self.feed_forward_norm(x + self.feed_forward(x) / 2)


class MemoryBlock(TransformerBlock):
    """A pre-norm block that attends to what it has read before, too: its own earlier inputs.

    Source: Dai et al. (2019), section 3.2
    """

    def forward(
        self,
        x: Float[Tensor, "*batch time d_model"],
        mask: Mask | None = None,
        *,
        memory: Any = None,
        memory_mask: Any = None,
        cache: Any = None,
    ) -> Float[Tensor, "*batch time d_model"]:
        """The block's output; ``cache`` is an ``InputMemory``, to which ``x`` is added."""
        context = (
            None if cache is None else self.attention_norm(cache.append(x))
        )  # (batch, past + time, d_model)
        x = x + self.attention(self.attention_norm(x), context, mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


class PostNormMemoryBlock(PostNormBlock):
    """A post-norm block that attends to what it has read before, too: its own earlier inputs.

    Source: Dai et al. (2019), section 3.2
    """

    def forward(
        self,
        x: Float[Tensor, "*batch time d_model"],
        mask: Mask | None = None,
        *,
        memory: Any = None,
        memory_mask: Any = None,
        cache: Any = None,
    ) -> Float[Tensor, "*batch time d_model"]:
        """The block's output; ``cache`` is an ``InputMemory``, to which ``x`` is added."""
        context = None if cache is None else cache.append(x)  # (batch, past + time, d)
        x = self.attention_norm(x + self.attention(x, context, mask))
        return self.feed_forward_norm(x + self.feed_forward(x))


class AttentionOnlyBlock(TransformerBlock):
    r"""Attention alone, :math:`z = \mathrm{MHA}(x)`.

    There are no residual lines, no normalizations and no position-wise network. With ``cross_attention``
    what was found asks the memory.

    Parameters
    ----------
    d_model, n_heads, options, cross_attention, positions, attention, std, join_std, generator
        Those of :class:`~transformer_lib.transformer.block.TransformerBlock`.

    Source: G5, G6, G7
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        options: BlockOptions = DEFAULTS,
        *,
        cross_attention: bool = False,
        positions: Positions | None = None,
        attention: nn.Module | None = None,
        std: float | None = None,
        join_std: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        nn.Module.__init__(self)  # none of the other layers is made, and no number drawn for them
        start: dict[str, Any] = {"std": std, "join_std": join_std, "generator": generator}
        if attention is None:
            attention = options.multi_head(MultiHeadAttention, d_model, n_heads, positions=positions, **start)
        self.attention, self.cross_attention = attention, None
        if cross_attention:
            self.cross_attention = options.multi_head(CrossAttention, d_model, n_heads, **start)

    def forward(
        self,
        x: Float[Tensor, "*batch time d_model"],
        mask: Mask | None = None,
        *,
        memory: Float[Tensor, "*sources keys d_model"] | KeysValues | None = None,
        memory_mask: Mask | None = None,
        cache: KeyValueCache | InputMemory | None = None,
    ) -> Float[Tensor, "*batch time d_model"]:
        """What attention finds; the arguments are those of ``TransformerBlock``."""
        x = self.attention(x, mask=mask, cache=cache)
        return x if self.cross_attention is None else self.cross_attention(x, memory, memory_mask)


BLOCKS: dict[tuple[str, bool], type[TransformerBlock]] = {
    ("pre", False): TransformerBlock,
    ("post", False): PostNormBlock,
    ("pre", True): MacaronBlock,
    ("post", True): PostNormMacaronBlock,
}
"""The block with residual lines, by where it normalizes and whether it is Macaron's."""


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


def recomputed(
    block: TransformerBlock,
    x: Tensor,
    mask: Mask | None,
    cache: KeyValueCache | InputMemory | None,
    looks_at: dict[str, Any],
) -> Tensor:
    """The block's output, of whose computation the inputs alone are kept for the gradient."""
    if not isinstance(cache, InputMemory):
        return checkpoint(block, x, mask, use_reentrant=False, cache=cache, **looks_at)
    inputs, longest = cache.inputs, cache.longest

    def run(x: Tensor) -> tuple[Tensor, Tensor]:
        own = InputMemory(inputs, longest)  # the second time begins with what the first began with
        return block(x, mask, cache=own, **looks_at), own.inputs

    y, cache.inputs = checkpoint(run, x, use_reentrant=False)
    return y
