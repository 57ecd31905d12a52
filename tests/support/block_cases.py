"""Blocks of every form, by the values that a configuration calls them by."""

from dataclasses import fields
from typing import Any

from transformer_lib.transformer.block import BlockOptions, TransformerBlock
from transformer_lib.transformer.block_variants import BLOCKS, AttentionOnlyBlock

OPTIONS = {field.name for field in fields(BlockOptions)}


def made_block(
    *sizes: int, norm: str = "post", macaron: bool = False, attention_only: bool = False, **values: Any
) -> TransformerBlock:
    """The block of these sizes and values."""
    options = BlockOptions(**{name: value for name, value in values.items() if name in OPTIONS})
    more = {name: value for name, value in values.items() if name not in OPTIONS}
    kind = AttentionOnlyBlock if attention_only else BLOCKS[norm, macaron]
    return kind(*sizes, options=options, **more)
