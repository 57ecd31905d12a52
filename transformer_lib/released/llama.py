r"""Llama weights, in Hugging Face's layout, as a language model of this library.

Names differ, and the order of features within a head. A rotary turn there pairs the features :math:`i` and
:math:`i + d_\text{head} / 2`, and here :math:`2i` and :math:`2i + 1`: the rows of :math:`W_q` and :math:`W_k`
are permuted so that each pair meets. Both are permuted alike, so no score notices.
"""

import os
import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from transformer_lib.checks import check_whole
from transformer_lib.released.tensors import check_released, one_floating_type, read_released
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

__all__ = ["load_llama"]

HEAD_WIDTH = 128
PREFIX = "model."
HEAD = "lm_head.weight"
LAYER = re.compile(r"layers\.(\d+)\.")
ANGLES = re.compile(r"(layers\.\d+\.self_attn\.)?rotary_emb\.inv_freq")

RELEASED_NAMES = {
    "token_embedding": ("embed_tokens",),
    "attention_norm": ("input_layernorm",),
    "attention.qkv": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "attention.output": ("self_attn.o_proj",),
    "feed_forward_norm": ("post_attention_layernorm",),
    "feed_forward.gate": ("mlp.gate_proj",),
    "feed_forward.up": ("mlp.up_proj",),
    "feed_forward.down": ("mlp.down_proj",),
    "stack.final_norm": ("norm",),
}


def load_llama(source: str | os.PathLike[str] | Mapping[str, Tensor], **overrides: Any) -> DecoderLM:
    r"""A Llama with the weights in ``source``, in evaluation mode and in the weights' precision.

    Each block computes, with :math:`\phi(a) = a \, \sigma(a)` and rotary positions in its attention,

    .. math::
        u &= x + \mathrm{MHA}(\mathrm{RMS}_1(x)) \\
        z &= u + W_2^\top (\phi(W_g^\top \mathrm{RMS}_2(u)) \odot W_1^\top \mathrm{RMS}_2(u))

    and the logits after the last block are :math:`W_z \, \mathrm{RMS}_f(z)`. :math:`W_z` is ``lm_head`` or,
    if there is none or the two are equal, the token embedding. Nothing is downloaded or unpickled.

    Parameters
    ----------
    source
        A local safetensors file, or tensors by name, which are copied: ``embed_tokens.weight`` (vocab,
        d_model), ``layers.0.self_attn.q_proj.weight`` (heads of queries, d_model) and so on. Either all names
        but ``lm_head.weight`` start with ``model.``, or none.
    overrides
        Values of :class:`~transformer_lib.transformer.config.TransformerConfig` that replace those that
        follow from the tensors' shapes and the preset ``llama-7b``. No shape gives ``context_length``,
        ``rotary_base``, ``norm_eps``, ``start_token`` and ``n_heads``: they are in the release's
        ``config.json``, and the default of the last is ``d_model / 128``. Frequencies that are rescaled, as
        since Llama 3.1, are not supported, nor are biases.

    Raises
    ------
    ValueError
        If the file cannot be read; if tensors are missing, unexpected, or of the wrong shape or type; or if
        a value of the configuration is wrong.

    Source: Touvron et al. (2023); Ainslie et al. (2023) for shared keys and values
    """
    tensors = read_released(source)
    prefix = PREFIX if any(name.startswith(PREFIX) for name in tensors) else ""
    tensors = {name: t for name, t in tensors.items() if not ANGLES.fullmatch(name.removeprefix(prefix))}
    config = _config(tensors, prefix, overrides)
    if config.tie_embeddings:
        tensors.pop(HEAD, None)
    with torch.device("meta"):
        model = DecoderLM(config)
    expected: dict[str, torch.Size] = {}
    for name, parameter in model.state_dict().items():
        names = _released_names(name, prefix)
        rows = model.stack.blocks[0].attention.widths if len(names) > 1 else [len(parameter)]
        expected |= {
            released: torch.Size([n, *parameter.shape[1:]]) for released, n in zip(names, rows, strict=True)
        }
    check_released("Llama", expected, tensors)
    embedding, state = tensors[f"{prefix}embed_tokens.weight"], {}
    model.to(embedding.dtype).to_empty(device=embedding.device)
    for name in model.state_dict():
        parts = [tensors[released].detach() for released in _released_names(name, prefix)]
        if len(parts) > 1:
            parts[:2] = (_interleaved(part, config.head_width) for part in parts[:2])
        state[name] = torch.cat(parts)
    model.load_state_dict(state, assign=True)
    return model.eval()


def _interleaved(weight: Tensor, width: int) -> Tensor:
    """The rows of each head in another order: the first of each half, the second of each half, and so on."""
    return weight.unflatten(0, (-1, 2, width // 2)).transpose(1, 2).flatten(0, 2)


def _config(tensors: Mapping[str, Tensor], prefix: str, overrides: dict[str, Any]) -> TransformerConfig:
    """The shape that the tensors have, if they are a Llama's."""
    first = f"{prefix}layers.0."
    sought = (f"{prefix}embed_tokens", *(f"{first}{name}" for name in RELEASED_NAMES["attention.qkv"][:2]))
    sought += (f"{first}mlp.gate_proj",)
    found = [tensors.get(f"{name}.weight") for name in sought]
    if any(tensor is None or tensor.ndim != 2 for tensor in found):
        raise ValueError(f"not the weights of a Llama: those have the matrices {', '.join(sought)}")
    one_floating_type(tensors)
    embedding, query, key, gate = (tensor for tensor in found if tensor is not None)
    (vocab_size, d_model), head = embedding.shape, tensors.get(HEAD)
    n_heads = overrides.get("n_heads", max(1, d_model // HEAD_WIDTH))
    check_whole("n_heads", n_heads, least=1)
    if len(query) % n_heads:
        raise ValueError(f"{n_heads} heads do not share {len(query)} features of queries: give n_heads")
    d_head = len(query) // n_heads
    layers = [int(match[1]) for name in tensors if (match := LAYER.match(name.removeprefix(prefix)))]
    shape: dict[str, Any] = {
        "vocab_size": vocab_size,
        "d_model": d_model,
        "n_heads": n_heads,
        "n_kv_heads": len(key) // d_head,
        "d_head": d_head,
        "d_ff": len(gate),
        "n_layers": 1 + max(layers),
        "tie_embeddings": head is None or torch.equal(head, embedding),
    }
    return TransformerConfig.preset("llama-7b", **shape | overrides)


def _released_names(name: str, prefix: str) -> list[str]:
    """The tensors that one of ours is made of."""
    name, kind = name.replace(".gain", ".weight").rsplit(".", 1)
    if name == "head":
        return [HEAD]
    block = re.match(r"stack\.blocks\.(\d+)\.", name)
    before, rest = (f"layers.{block[1]}.", name[block.end() :]) if block else ("", name)
    return [f"{prefix}{before}{released}.{kind}" for released in RELEASED_NAMES.get(rest, (rest,))]
