"""How parameters are called now that files of checkpoint format 1 call otherwise."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

__all__ = ["current_names"]


def _within_stack(owner: str = "") -> dict[str, str]:
    return {f"{owner}{name}.": f"{owner}stack.{name}." for name in ("positions", "blocks", "final_norm")}


FORMER_PREFIXES = {
    "DecoderLM": _within_stack(),
    "ImageTransformer": _within_stack(),
    "Encoder": _within_stack(),
    "Classifier": _within_stack("encoder."),
    "EncoderDecoder": _within_stack("encoder.") | _within_stack("decoder."),
    "TransformerXL": _within_stack()
    | {"content_bias": "distances.content_bias", "distance_bias": "distances.distance_bias"},
    "CrossModalClassifier": _within_stack()
    | _within_stack("question_encoder.")
    | {
        "patch_positions.": "image_stack.positions.",
        "image_blocks.": "image_stack.blocks.",
        "image_norm.": "image_stack.final_norm.",
    },
}
"""For each class of models, prefixes of parameter names in format 1 and what they are now."""


def current_names(
    tensors: Mapping[str, Tensor], model_class: str, config: Mapping[str, Any] | None
) -> dict[str, Tensor]:
    """The tensors of a file of format 1, weights or an optimizer's moments, by the names of now."""
    prefixes = _prefixes(model_class, config)
    return {_current(name, prefixes): tensor for name, tensor in tensors.items()}


def _prefixes(model_class: str, config: Mapping[str, Any] | None) -> dict[str, str]:
    prior = (config or {}).get("prior")
    if not prior:
        return FORMER_PREFIXES.get(model_class, {})
    return {f"prior.{old}": f"prior.{new}" for old, new in _prefixes(*prior).items()}


def _current(name: str, prefixes: Mapping[str, str]) -> str:
    owner = ""
    if name.startswith("optimizer."):
        *head, name = name.split(".", 2)
        owner = ".".join(head) + "."
    for old, new in prefixes.items():
        if name.startswith(old):
            return owner + new + name.removeprefix(old)
    return owner + name
