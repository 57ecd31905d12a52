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

from transformer_lib.released.settings import ACTIVATION_NAMES, Settings, read_settings
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

__all__ = ["load_gpt2", "to_gpt2"]

RELEASED_VOCABULARY = 50257
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

SETTINGS = {
    "vocab_size": "vocab_size",
    "context_length": "n_positions",
    "d_model": "n_embd",
    "n_heads": "n_head",
    "n_layers": "n_layer",
    "d_ff": "n_inner",
    "norm_eps": "layer_norm_epsilon",
    "start_token": "bos_token_id",
}
COMPUTED = {"scale_attn_weights": True, "scale_attn_by_inverse_layer_idx": False}


def load_gpt2(
    source: str | os.PathLike[str] | Mapping[str, Tensor],
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    *,
    check: Prompt | None = None,
    **overrides: Any,
) -> DecoderLM:
    r"""GPT-2 with the weights in ``source``, in evaluation mode and in the weights' precision.

    Each block computes, with :math:`\phi` the tanh form of GELU,

    .. math::
        u &= x + \mathrm{MHA}(\mathrm{LN}_1(x)) \\
        z &= u + W_2^\top \phi(W_1^\top \mathrm{LN}_2(u) + b_1) + b_2

    and the logits after the last block are :math:`W_e \, \mathrm{LN}_f(z)`, where :math:`W_e` is the token
    embedding, or ``lm_head`` if the settings have ``tie_word_embeddings`` false or, without settings, if the
    two differ. Nothing is downloaded or unpickled.

    Parameters
    ----------
    source
        A local safetensors file, the folder of a ``model.safetensors``, or tensors by name, which are copied:
        ``wte.weight`` (vocab, d_model), ``wpe.weight`` (context, d_model), ``h.0.attn.c_attn.weight``
        (d_model, 3 d_model) and so on. Either all names but ``lm_head.weight`` start with ``transformer.``,
        or none. Buffers of masks are ignored.
    config
        The release's settings: a file, or the settings by name. The default is the ``config.json`` beside the
        weights. Without one, the shape follows from the tensors, and ``n_heads`` has to be given, and with
        another vocabulary than the released one ``start_token``: no tensor tells them.
    check
        A prompt and its continuation by the most probable tokens, computed elsewhere: the loaded model has to
        continue the prompt so. What :func:`~transformer_lib.released.saving.save_pretrained` has written
        holds predictions, which are checked as well.
    overrides
        Values of :class:`~transformer_lib.transformer.config.TransformerConfig` that replace those of the
        settings.

    Raises
    ------
    ValueError
        If a file cannot be read; if tensors are missing, unexpected, or of the wrong shape or type; if the
        settings are those of another model, or lack something; if a value of the configuration is wrong; or
        if the model continues a prompt otherwise.

    Source: Radford et al. (2019)
    """
    settings = read_settings(source, config)
    tensors, stored = read_released(source)
    prefix = PREFIX if any(name.startswith(PREFIX) for name in tensors) else ""
    tensors = {name: t for name, t in tensors.items() if not MASK_BUFFER.fullmatch(name.removeprefix(prefix))}
    shape = _config(tensors, prefix, settings, overrides)
    if shape.tie_embeddings:
        tensors.pop(HEAD, None)
    with torch.device("meta"):
        model = DecoderLM(shape)
    expected = {name: _oriented(name, tensor).shape for name, tensor in model.state_dict().items()}
    names = {name: _released_name(name, prefix) for name in expected}
    check_released("GPT-2", {names[name]: shape for name, shape in expected.items()}, tensors)
    state = {
        name: _oriented(name, tensors.pop(names[name])).detach().clone(memory_format=torch.contiguous_format)
        for name in names
    }
    model.load_state_dict(state, assign=True)
    refuse_other_predictions(model.eval(), check, stored)
    return model


def to_gpt2(model: DecoderLM) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The model's settings and tensors as a release of GPT-2 has them; missing biases are written as zeros.

    Raises
    ------
    ValueError
        If no GPT-2 computes the same, naming what differs.
    """
    config = model.config
    wrong = unlike(
        config,
        norm="pre",
        norm_kind="layer",
        norm_eps_on="variance",
        gated=False,
        macaron=False,
        scale_embeddings=False,
        positions="learned",
        n_kv_heads=(None, config.n_heads),
        d_head=(None, config.d_model // config.n_heads),
    )
    if wrong:
        raise ValueError(f"no GPT-2 has {wrong}")
    state = dict(model.state_dict())
    for name, module in model.stack.named_modules():
        if isinstance(module, torch.nn.Linear) and module.bias is None:
            state[f"stack.{name}.bias"] = module.weight.new_zeros(len(module.weight))
    tensors = {_released_name(name, PREFIX): _oriented(name, tensor) for name, tensor in state.items()}
    rates = {
        "resid_pdrop": config.dropout,
        "embd_pdrop": config.dropout if config.feature_dropout is None else config.feature_dropout,
        "attn_pdrop": config.dropout if config.attention_dropout is None else config.attention_dropout,
    }
    settings = {theirs: getattr(config, ours) for ours, theirs in SETTINGS.items()}
    written = next(theirs for theirs, ours in ACTIVATION_NAMES.items() if ours == config.activation)
    kind = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "activation_function": written}
    return kind | settings | rates | {"tie_word_embeddings": config.tie_embeddings}, tensors


def _config(
    tensors: Mapping[str, Tensor], prefix: str, settings: Settings | None, overrides: dict[str, Any]
) -> TransformerConfig:
    """The shape of the settings or, without any, that of the tensors, if they are GPT-2's."""
    if settings is not None:
        settings.check_family("gpt2")
        settings.check_plain(COMPUTED)
    tokens, positions = (tensors.get(f"{prefix}{name}.weight") for name in ("wte", "wpe"))
    if tokens is None or positions is None or tokens.ndim != 2 or positions.ndim != 2:
        raise ValueError("not the weights of a GPT-2: those have the matrices wte.weight and wpe.weight")
    one_floating_type(tensors)
    if settings is not None:
        known = {"d_ff": None, "norm_eps": 1e-5} | {n: v for n, v in overrides.items() if n in SETTINGS}
        shape = settings.renamed(SETTINGS, known)
        shape["activation"] = settings.activation("activation_function", "gelu_new")
        shape["tie_embeddings"] = settings.ties(tensors.get(HEAD), tokens, default=True)
        return TransformerConfig.preset("gpt2-124m", **shape | overrides)
    (vocab_size, d_model), head = tokens.shape, tensors.get(HEAD)
    inner = tensors.get(f"{prefix}h.0.mlp.c_fc.weight")
    blocks = [int(found[1]) for name in tensors if (found := BLOCK.match(name.removeprefix(prefix)))]
    shape = {
        "vocab_size": vocab_size,
        "context_length": positions.shape[0],
        "d_model": d_model,
        "n_layers": 1 + max(blocks, default=0),
        "d_ff": None if inner is None or inner.ndim != 2 else inner.shape[1],
        "tie_embeddings": head is None or torch.equal(head, tokens),
    }
    if vocab_size == RELEASED_VOCABULARY:
        shape["start_token"] = vocab_size - 1
    check_shape_is_known(shape | overrides, "n_heads", "start_token")
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
