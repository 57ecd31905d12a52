r"""Released GPT-2 weights, in Hugging Face's layout, as a language model of this library.

Only names and orientation differ: the released linear maps are stored as the :math:`W` of
:math:`W^\top x + b`, and PyTorch's as :math:`W^\top`.
"""

import os
import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_lib.released.tensors import check_released, one_floating_type, read_released
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

__all__ = ["load_gpt2"]

HEAD_WIDTH = 64
PREFIX = "transformer."
HEAD = "lm_head.weight"
BLOCK = re.compile(r"h\.(\d+)\.")
MASK_BUFFER = re.compile(r"h\.\d+\.attn\.(bias|masked_bias)")

RELEASED_NAMES = {
    "token_embedding": "wte",
    "stack.positions.table": "wpe",
    "attention_norm": "ln_1",
    "attention.qkv": "attn.c_attn",
    "attention.output": "attn.c_proj",
    "feed_forward_norm": "ln_2",
    "feed_forward.up": "mlp.c_fc",
    "feed_forward.down": "mlp.c_proj",
    "stack.final_norm": "ln_f",
}


def load_gpt2(source: str | os.PathLike[str] | Mapping[str, Tensor], **overrides: Any) -> DecoderLM:
    r"""GPT-2 with the weights in ``source``, in evaluation mode and in the weights' precision.

    Each block computes, with :math:`\phi` the tanh form of GELU,

    .. math::
        u &= x + \mathrm{MHA}(\mathrm{LN}_1(x)) \\
        z &= u + W_2^\top \phi(W_1^\top \mathrm{LN}_2(u) + b_1) + b_2

    and the logits after the last block are :math:`W_e \, \mathrm{LN}_f(z)`, where :math:`W_e` is the token
    embedding, or ``lm_head`` if the two differ. Nothing is downloaded or unpickled.

    Parameters
    ----------
    source
        A local safetensors file, or tensors by name, which are copied: ``wte.weight`` (vocab, d_model),
        ``wpe.weight`` (context, d_model), ``h.0.attn.c_attn.weight`` (d_model, 3 d_model) and so on. Either
        all names but ``lm_head.weight`` start with ``transformer.``, or none. Buffers of masks are ignored.
    overrides
        Values of :class:`~transformer_lib.transformer.config.TransformerConfig` that replace those that
        follow from the tensors' shapes and the preset ``gpt2-124m``. No shape gives ``n_heads``: the default
        is ``d_model / 64``, as in every released GPT-2. The default ``start_token`` is the last token,
        ``<|endoftext|>`` in the released vocabulary.

    Raises
    ------
    ValueError
        If the file cannot be read; if tensors are missing, unexpected, or of the wrong shape or type; or if
        a value of the configuration is wrong.

    Source: Radford et al. (2019)
    """
    tensors = read_released(source)
    prefix = PREFIX if any(name.startswith(PREFIX) for name in tensors) else ""
    tensors = {name: t for name, t in tensors.items() if not MASK_BUFFER.fullmatch(name.removeprefix(prefix))}
    config = _config(tensors, prefix, overrides)
    if config.tie_embeddings:
        tensors.pop(HEAD, None)
    with torch.device("meta"):
        model = DecoderLM(config)
    expected = {name: _oriented(name, tensor).shape for name, tensor in model.state_dict().items()}
    names = {name: _released_name(name, prefix) for name in expected}
    check_released("GPT-2", {names[name]: shape for name, shape in expected.items()}, tensors)
    state = {
        name: _oriented(name, tensors.pop(names[name])).detach().clone(memory_format=torch.contiguous_format)
        for name in names
    }
    model.load_state_dict(state, assign=True)
    return model.eval()


def _config(tensors: Mapping[str, Tensor], prefix: str, overrides: dict[str, Any]) -> TransformerConfig:
    """The shape that the tensors have, if they are GPT-2's."""
    tokens, positions = (tensors.get(f"{prefix}{name}.weight") for name in ("wte", "wpe"))
    if tokens is None or positions is None or tokens.ndim != 2 or positions.ndim != 2:
        raise ValueError("not the weights of a GPT-2: those have the matrices wte.weight and wpe.weight")
    one_floating_type(tensors)
    (vocab_size, d_model), head = tokens.shape, tensors.get(HEAD)
    inner = tensors.get(f"{prefix}h.0.mlp.c_fc.weight")
    if d_model % HEAD_WIDTH and "n_heads" not in overrides:
        raise ValueError(
            f"d_model={d_model} is not a multiple of {HEAD_WIDTH}, GPT-2's width of a head: give n_heads"
        )
    blocks = [int(found[1]) for name in tensors if (found := BLOCK.match(name.removeprefix(prefix)))]
    shape: dict[str, Any] = {
        "vocab_size": vocab_size,
        "context_length": positions.shape[0],
        "d_model": d_model,
        "n_heads": d_model // HEAD_WIDTH,
        "n_layers": 1 + max(blocks, default=0),
        "d_ff": None if inner is None or inner.ndim != 2 else inner.shape[1],
        "tie_embeddings": head is None or torch.equal(head, tokens),
        "start_token": vocab_size - 1,
    }
    return TransformerConfig.preset("gpt2-124m", **shape | overrides)


def _released_name(name: str, prefix: str) -> str:
    name, kind = name.replace(".gain", ".weight").rsplit(".", 1)
    if name == "head":
        return HEAD
    block = re.match(r"stack\.blocks\.(\d+)\.", name)
    before, rest = (f"h.{block[1]}.", name[block.end() :]) if block else ("", name)
    return f"{prefix}{before}{RELEASED_NAMES.get(rest, rest)}.{kind}"


def _oriented(name: str, tensor: Tensor) -> Tensor:
    """The tensor as the other layout has it: matrices within blocks are transposed."""
    return tensor.mT if name.startswith("stack.blocks.") and tensor.ndim == 2 else tensor
