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
from transformer_lib.released.settings import ACTIVATION_NAMES, Settings, read_settings, value_or
from transformer_lib.released.tensors import (
    Prompt,
    check_released,
    check_shape_is_known,
    one_floating_type,
    read_released,
    refuse_other_predictions,
    unlike,
)
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

__all__ = ["load_llama", "to_llama"]

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

SETTINGS = {
    "vocab_size": "vocab_size",
    "context_length": "max_position_embeddings",
    "d_model": "hidden_size",
    "n_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "n_layers": "num_hidden_layers",
    "d_ff": "intermediate_size",
    "d_head": "head_dim",
    "norm_eps": "rms_norm_eps",
    "start_token": "bos_token_id",
}
OPTIONAL = {"n_kv_heads": None, "d_head": None, "norm_eps": 1e-6}
COMPUTED = {"attention_bias": False, "mlp_bias": False, "partial_rotary_factor": 1.0}
UNSHAPED = ("n_heads", "context_length", "rotary_base", "norm_eps", "start_token")
ROTARY_BASE = 10000.0


def load_llama(
    source: str | os.PathLike[str] | Mapping[str, Tensor],
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    *,
    check: Prompt | None = None,
    **overrides: Any,
) -> DecoderLM:
    r"""A Llama with the weights in ``source``, in evaluation mode and in the weights' precision.

    Each block computes, with :math:`\phi(a) = a \, \sigma(a)` and rotary positions in its attention,

    .. math::
        u &= x + \mathrm{MHA}(\mathrm{RMS}_1(x)) \\
        z &= u + W_2^\top (\phi(W_g^\top \mathrm{RMS}_2(u)) \odot W_1^\top \mathrm{RMS}_2(u))

    and the logits after the last block are :math:`W_z \, \mathrm{RMS}_f(z)`. :math:`W_z` is ``lm_head``, or
    the token embedding if the settings have ``tie_word_embeddings`` true (left out, it means false, as for
    Hugging Face) or, without settings, if there is no ``lm_head`` or the two are equal. Nothing is downloaded
    or unpickled.

    Parameters
    ----------
    source
        A local safetensors file, the folder of a ``model.safetensors``, or tensors by name, which are copied:
        ``embed_tokens.weight`` (vocab, d_model), ``layers.0.self_attn.q_proj.weight`` (heads of queries,
        d_model) and so on. Either all names but ``lm_head.weight`` start with ``model.``, or none.
    config
        The release's settings: a file, or the settings by name. The default is the ``config.json`` beside the
        weights. Without one, ``n_heads``, ``context_length``, ``rotary_base``, ``norm_eps`` and
        ``start_token`` have to be given: no tensor tells them. Frequencies that are rescaled, as since Llama
        3.1, are refused, as are biases, and other families whose tensors have the same names.
    check
        A prompt and its continuation by the most probable tokens, as for
        :func:`~transformer_lib.released.gpt2.load_gpt2`.
    overrides
        Values of :class:`~transformer_lib.transformer.config.TransformerConfig` that replace those of the
        settings.

    Raises
    ------
    ValueError
        If a file cannot be read; if tensors are missing, unexpected, or of the wrong shape or type; if the
        settings are those of another model, or lack something; if a value of the configuration is wrong; or
        if the model continues a prompt otherwise.

    Source: Touvron et al. (2023); Ainslie et al. (2023) for shared keys and values
    """
    settings = read_settings(source, config)
    tensors, stored = read_released(source)
    prefix = PREFIX if any(name.startswith(PREFIX) for name in tensors) else ""
    tensors = {name: t for name, t in tensors.items() if not ANGLES.fullmatch(name.removeprefix(prefix))}
    shape = _config(tensors, prefix, settings, overrides)
    if shape.tie_embeddings:
        tensors.pop(HEAD, None)
    with torch.device("meta"):
        model = DecoderLM(shape)
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
            parts[:2] = (_interleaved(part, shape.head_width) for part in parts[:2])
        state[name] = torch.cat(parts)
    model.load_state_dict(state, assign=True)
    refuse_other_predictions(model.eval(), check, stored)
    return model


def to_llama(model: DecoderLM) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The model's settings and tensors as a release of Llama has them.

    Raises
    ------
    ValueError
        If no Llama computes the same, naming what differs.
    """
    config = model.config
    wrong = unlike(
        config,
        norm="pre",
        norm_kind="rms",
        gated=True,
        macaron=False,
        scale_embeddings=False,
        bias=False,
        attention_bias=(None, False),
        positions="rotary",
    )
    if wrong:
        raise ValueError(f"no Llama has {wrong}")
    tensors: dict[str, Tensor] = {}
    for name, tensor in model.state_dict().items():
        names = _released_names(name, PREFIX)
        rows = model.stack.blocks[0].attention.widths if len(names) > 1 else [len(tensor)]
        parts = list(tensor.split(rows))
        if len(parts) > 1:
            parts[:2] = (_in_halves(part, config.head_width) for part in parts[:2])
        tensors |= dict(zip(names, parts, strict=True))
    settings = {theirs: getattr(config, ours) for ours, theirs in SETTINGS.items()}
    settings["head_dim"] = config.head_width
    settings["intermediate_size"] = 4 * config.d_model if config.d_ff is None else config.d_ff
    settings["num_key_value_heads"] = config.n_heads if config.n_kv_heads is None else config.n_kv_heads
    written = next(theirs for theirs, ours in ACTIVATION_NAMES.items() if ours == config.activation)
    kind = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_act": written}
    base = float(config.rotary_base)
    turns = {"rope_theta": base, "rope_parameters": {"rope_type": "default", "rope_theta": base}}
    rate = config.dropout if config.attention_dropout is None else config.attention_dropout
    return kind | settings | turns | {
        "attention_dropout": rate,
        "tie_word_embeddings": config.tie_embeddings,
    }, tensors


def _interleaved(weight: Tensor, width: int) -> Tensor:
    """The rows of each head in another order: the first of each half, the second of each half, and so on."""
    return weight.unflatten(0, (-1, 2, width // 2)).transpose(1, 2).flatten(0, 2)


def _in_halves(weight: Tensor, width: int) -> Tensor:
    """The inverse of :func:`_interleaved`."""
    return weight.unflatten(0, (-1, width // 2, 2)).transpose(1, 2).flatten(0, 2)


def _config(
    tensors: Mapping[str, Tensor], prefix: str, settings: Settings | None, overrides: dict[str, Any]
) -> TransformerConfig:
    """The shape of the settings or, without any, that of the tensors, if they are a Llama's."""
    if settings is not None:
        settings.check_family("llama")
        settings.check_plain(COMPUTED)
    first = f"{prefix}layers.0."
    sought = (f"{prefix}embed_tokens", *(f"{first}{name}" for name in RELEASED_NAMES["attention.qkv"][:2]))
    sought += (f"{first}mlp.gate_proj",)
    found = [tensors.get(f"{name}.weight") for name in sought]
    if any(tensor is None or tensor.ndim != 2 for tensor in found):
        raise ValueError(f"not the weights of a Llama: those have the matrices {', '.join(sought)}")
    one_floating_type(tensors)
    embedding, query, key, gate = (tensor for tensor in found if tensor is not None)
    (vocab_size, d_model), head = embedding.shape, tensors.get(HEAD)
    if settings is not None:
        shape = settings.renamed(SETTINGS, OPTIONAL | {n: v for n, v in overrides.items() if n in SETTINGS})
        shape["activation"] = settings.activation("hidden_act", "silu")
        shape["tie_embeddings"] = settings.ties(head, embedding, default=False)
        shape["rotary_base"] = _rotary_base(settings)
        return TransformerConfig.preset("llama-7b", **shape | overrides)
    check_shape_is_known(overrides, *UNSHAPED)
    n_heads = overrides["n_heads"]
    check_whole("n_heads", n_heads, least=1)
    if len(query) % n_heads:
        raise ValueError(f"{n_heads} heads do not share {len(query)} features of queries: give n_heads")
    d_head = len(query) // n_heads
    layers = [int(match[1]) for name in tensors if (match := LAYER.match(name.removeprefix(prefix)))]
    shape = {
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


def _rotary_base(settings: Settings) -> Any:
    """The base of the angles, of old settings and of new ones, if the angles are not rescaled."""
    values = settings.values
    base = value_or(values, "rope_theta", ROTARY_BASE)
    for name in ("rope_scaling", "rope_parameters"):
        turns = values.get(name) or {}
        if not isinstance(turns, Mapping):
            raise ValueError(f"{settings.where}: {name} must be settings by name, got {turns!r}")
        kind = value_or(turns, "rope_type", value_or(turns, "type", "default"))
        if kind != "default" or value_or(turns, "partial_rotary_factor", 1.0) != 1.0:
            raise ValueError(
                f"{settings.where}: {name}={dict(turns)} rescales angles, which is not computed here"
            )
        base = value_or(turns, "rope_theta", base)
    return float(base) if type(base) is int else base  # JSON has both


def _released_names(name: str, prefix: str) -> list[str]:
    """The tensors that one of ours is made of."""
    name, kind = name.replace(".gain", ".weight").rsplit(".", 1)
    if name == "head":
        return [HEAD]
    block = re.match(r"stack\.blocks\.(\d+)\.", name)
    before, rest = (f"layers.{block[1]}.", name[block.end() :]) if block else ("", name)
    return [f"{prefix}{before}{released}.{kind}" for released in RELEASED_NAMES.get(rest, (rest,))]
