"""What the loaders of released weights share: reading a file, and saying what does not fit."""

import json
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import torch
from torch import Tensor

from transformer_lib.checks import check_token
from transformer_lib.interfaces import evaluation_mode
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

__all__ = [
    "STORED",
    "WEIGHTS",
    "Prompt",
    "check_released",
    "check_shape_is_known",
    "one_floating_type",
    "predicted",
    "read_released",
    "refuse_other_predictions",
    "unlike",
]

MOST_LISTED = 5
MOST_CHECKED = 32
NEARLY = 0.02
WEIGHTS = "model.safetensors"
STORED = "text_and_predictions"

Prompt: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""A prompt and its continuation, as tokens."""


def read_released(
    source: str | os.PathLike[str] | Mapping[str, Tensor],
) -> tuple[dict[str, Tensor], Prompt | None]:
    """The tensors by name, of a mapping, a local safetensors file or its folder, and the prompt stored there.

    Raises
    ------
    ValueError
        If the file cannot be read.
    """
    if isinstance(source, Mapping):
        return dict(source), None
    from safetensors import SafetensorError, safe_open

    path = Path(source)
    path = path / WEIGHTS if path.is_dir() else path
    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            stored = (file.metadata() or {}).get(STORED)
        if stored is None:
            return tensors, None
        prompt, continuation = json.loads(stored)
        return tensors, (prompt, continuation)
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise ValueError(f"{path} cannot be read as a safetensors file: {error}") from error


def check_shape_is_known(given: Mapping[str, Any], *names: str) -> None:
    """Refuse to guess what no tensor tells.

    Raises
    ------
    ValueError
        Naming what has to be given.
    """
    missing = [name for name in names if name not in given]
    if missing:
        raise ValueError(
            f"no tensor tells {' and '.join(missing)}: put the release's config.json beside the weights, "
            f"or give config= or {', '.join(f'{name}=' for name in missing)}"
        )


def unlike(config: TransformerConfig, **right: Any) -> str:
    """The settings that are not as they have to be, and have to be so; of several right values, a tuple."""
    wrong = []
    for name, value in (right | {"attention_only": False}).items():
        if getattr(config, name) not in (value if isinstance(value, tuple) else (value,)):
            wrong.append(f"{name}={getattr(config, name)!r}")
    return " and ".join(wrong)


def predicted(model: DecoderLM) -> Prompt:
    """A text of tokens from the whole vocabulary, and the most probable token after each of them."""
    n = min(MOST_CHECKED, model.context_length)
    text = torch.linspace(0, model.vocab_size - 1, n).long()
    with evaluation_mode(model), torch.no_grad():
        found = model.logits(text[None].to(model.token_embedding.weight.device))[0].argmax(-1)
    return text.tolist(), found.tolist()


def refuse_other_predictions(model: DecoderLM, check: Prompt | None, stored: Prompt | None) -> None:
    """Refuse a model that continues a prompt otherwise, or predicts otherwise than :func:`predicted`.

    A token that is nearly as probable as the most probable one passes, since rounding decides between them.

    Raises
    ------
    ValueError
        Saying where the model predicts another token, or what a prompt and its continuation have to be.
    """
    texts = []
    if check is not None:
        prompt, continuation = _two_texts("check", check, model.vocab_size)
        texts.append(([*prompt, *continuation[:-1]], continuation))
    if stored is not None:
        text, following = _two_texts(f"{STORED} in the file", stored, model.vocab_size)
        if len(text) != len(following):
            raise ValueError(f"{STORED} in the file: {len(text)} tokens, but {len(following)} predictions")
        texts.append((text, following))
    for text, right in texts:
        where = model.token_embedding.weight.device
        with evaluation_mode(model), torch.no_grad():
            logits = model.logits(torch.tensor([text], device=where))[0, -len(right) :]  # (right, vocab)
        behind = logits.amax(-1) - logits.gather(-1, torch.tensor(right, device=where)[:, None])[:, 0]
        wrong = ~(behind <= NEARLY * logits.std(-1))  # (right); NaN is wrong, too
        if wrong.any():
            t = int(wrong.nonzero()[0])
            read = list(text[: len(text) - len(right) + t + 1])
            raise ValueError(
                f"after the tokens {read} the loaded model predicts {int(logits[t].argmax())} instead of "
                f"{right[t]}: its settings are not the release's"
            )


def _two_texts(name: str, given: Any, vocab_size: int) -> tuple[list[int], list[int]]:
    """A prompt and its continuation, if they are two texts of at least one token each."""
    try:
        one, other = (list(part.tolist() if hasattr(part, "tolist") else part) for part in given)
    except (TypeError, ValueError):
        one = other = []
    if not one or not other:
        raise ValueError(f"{name} must be a prompt and its continuation, each of at least one token")
    for token in (*one, *other):
        check_token(f"each token of {name}", token, vocab_size)
    return one, other


def one_floating_type(tensors: Mapping[str, Tensor]) -> None:
    """Refuse tensors of several types, or of one that is not floating.

    Raises
    ------
    ValueError
        Naming the types.
    """
    types = {tensor.dtype for tensor in tensors.values()}
    if len(types) > 1 or not all(dtype.is_floating_point for dtype in types):
        raise ValueError(f"weights need one floating type for all; got {', '.join(sorted(map(str, types)))}")


def check_released(model: str, expected: Mapping[str, torch.Size], tensors: Mapping[str, Tensor]) -> None:
    """Refuse tensors whose names or shapes are not those that are expected of the model.

    Raises
    ------
    ValueError
        Listing what is missing, unexpected or of another shape.
    """
    wrong = [
        f"{name} {tuple(tensors[name].shape)}, not {tuple(shape)}"
        for name, shape in expected.items()
        if name in tensors and tensors[name].shape != shape
    ]
    faults = {
        "missing": expected.keys() - tensors.keys(),
        "unexpected": tensors.keys() - expected.keys(),
        "of another shape": wrong,
    }
    listed = "; ".join(f"{fault}: {_some(names)}" for fault, names in faults.items() if names)
    if listed:
        raise ValueError(f"not the weights of this {model}; {listed}")


def _some(names: Collection[str]) -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(sorted(names)[:MOST_LISTED]) + more
