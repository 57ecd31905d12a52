"""What a Transformer costs, counted by hand: the bill of chapter 15.

Parameters, floating-point operations (a multiplication and an addition are two) and bytes follow from the
configuration alone. The counts are those of matrix products; normalizations, activations and the softmax are
left out. :func:`counted_flops` and :func:`saved_bytes` count what a model really does.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

__all__ = [
    "activation_numbers",
    "checkpointed_blocks",
    "counted_flops",
    "draw_tokens",
    "forward_flops",
    "parameter_counts",
    "saved_bytes",
    "state_bytes",
    "training_flops",
]

FUSED = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
FUSED_BACKWARD = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward


def parameter_counts(config: TransformerConfig) -> dict[str, int]:
    """The parameters of a language model with learned positions, by part."""
    d, m, L = config.d_model, config.d_ff or 4 * config.d_model, config.n_layers
    queries, keys = _head_widths(config)
    attention = 2 * d * queries + 2 * d * keys
    if config.bias if config.attention_bias is None else config.attention_bias:
        attention += queries + 2 * keys + d
    return {
        "token embedding": config.vocab_size * d,
        "positions": config.context_length * d,
        "attention": L * attention,
        "networks": L * (2 * d * m + (m + d if config.bias else 0)),
        "normalizations": (2 * L + 1) * 2 * d,
        "head": 0 if config.tie_embeddings else config.vocab_size * d,
    }


def forward_flops(config: TransformerConfig, length: int) -> dict[str, int]:
    """Operations of the matrix products of one text's forward pass, by part.

    Every pair of places counts in attention, also those that the causal mask hides.
    """
    d, m, L = config.d_model, config.d_ff or 4 * config.d_model, config.n_layers
    queries, keys = _head_widths(config)
    return {
        "projections": 2 * length * L * (2 * d * queries + 2 * d * keys),
        "scores and mixing": 2 * length * length * L * 2 * queries,
        "networks": 2 * length * L * 2 * d * m,
        "head": 2 * length * d * config.vocab_size,
    }


def training_flops(config: TransformerConfig, length: int) -> int:
    """Operations of one text's forward and backward pass.

    Each product has two in the backward pass, one for either factor; fused attention computes the scores
    again, and so has five where the forward pass has two.
    """
    forward = forward_flops(config, length)
    attention = forward["scores and mixing"]
    return 3 * (sum(forward.values()) - attention) + attention + 5 * attention // 2


def state_bytes(n_parameters: int, *, workers: int = 1, sharded: bool = False) -> dict[str, float]:
    """Bytes that each worker keeps between two steps of Adam with weights of four bytes."""
    held = n_parameters / (workers if sharded else 1)
    return {"weights": 4 * held, "gradients": 4 * held, "moments": 8 * held}


def activation_numbers(config: TransformerConfig) -> int:
    """Numbers that each block keeps per token for the backward pass, with fused attention.

    The inputs and outputs of both LayerNorms, queries, keys and values, what attention mixes, and the
    network's inner layer before and after the activation; then the mean and the deviation of either
    LayerNorm, and the softmax's denominator of each head. Pre-norm, without dropout and biases.
    """
    d, m = config.d_model, config.d_ff or 4 * config.d_model
    queries, keys = _head_widths(config)
    return 4 * d + 2 * queries + 2 * keys + 2 * m + 4 + config.n_heads


def counted_flops(run: Callable[[], Any]) -> int:
    """Operations of all matrix products while ``run`` runs, by PyTorch's counter."""
    mapping = {FUSED: _fused, FUSED_BACKWARD: _fused_backward}
    with FlopCounterMode(display=False, custom_mapping=mapping) as counter:
        run()
    return counter.get_total_flops()


def saved_bytes(model: nn.Module, run: Callable[[], Any]) -> int:
    """Bytes that ``run`` leaves for the backward pass, besides the parameters."""
    own = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    kept: dict[int, Tensor] = {}

    def keep(tensor: Tensor) -> Tensor:
        place = tensor.untyped_storage().data_ptr()
        if place not in own and tensor.is_floating_point():
            kept.setdefault(place, tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        result = run()
    total = sum(tensor.untyped_storage().nbytes() for tensor in kept.values())
    del result
    return total


@contextmanager
def checkpointed_blocks(model: DecoderLM) -> Iterator[None]:
    """Within it, each block keeps its input alone, and runs once more in the backward pass."""
    blocks = list(model.stack.blocks)
    for block in blocks:
        twice = partial(checkpoint, block.forward, use_reentrant=False)
        block.forward = twice  # type: ignore[method-assign]
    try:
        yield
    finally:
        for block in blocks:
            del block.forward


def draw_tokens(vocab_size: int, n: int, length: int) -> Int[Tensor, "n length"]:
    """Random tokens, always the same."""
    return torch.randint(vocab_size, (n, length), generator=torch.Generator().manual_seed(0))


def _head_widths(config: TransformerConfig) -> tuple[int, int]:
    """The width of all heads of queries, and of all heads of keys."""
    return config.n_heads * config.head_width, (config.n_kv_heads or config.n_heads) * config.head_width


def _fused(query: Any, key: Any, value: Any, *_: Any, **options: Any) -> int:
    batch, heads, queries, width = query
    return 2 * batch * heads * queries * key[2] * (width + value[3])


def _fused_backward(upstream: Any, query: Any, key: Any, value: Any, *_: Any, **options: Any) -> int:
    """The scores once more, and the gradients of weights, values, queries and keys."""
    batch, heads, queries, width = query
    return 2 * batch * heads * queries * key[2] * (3 * width + 2 * value[3])
