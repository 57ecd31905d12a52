"""The settings of a release, from its ``config.json``: read, and refused where no model here is so."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from transformer_lib.checks import check_flag

__all__ = ["ACTIVATION_NAMES", "Settings", "read_settings", "value_or"]

ACTIVATION_NAMES = {
    "gelu_new": "gelu-tanh",
    "gelu_pytorch_tanh": "gelu-tanh",
    "gelu": "gelu",
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
    "tanh": "tanh",
    "sigmoid": "sigmoid",
}
"""What each nonlinearity of Hugging Face is called here; of two names for one, the first is written."""

PLAIN = {
    "quantization_config": None,
    "auto_map": None,
    "is_encoder_decoder": False,
    "pruned_heads": None,
    "add_cross_attention": False,
}


@dataclass(frozen=True)
class Settings:
    """A release's settings by Hugging Face's names, and where they were found.

    Attributes
    ----------
    values : Mapping
        The settings.
    where : str
        The file, or ``"config"``: errors begin with it.
    """

    values: Mapping[str, Any]
    where: str

    def check_family(self, model_type: str) -> None:
        """Refuse another family than this, whose tensors may have the same names.

        Raises
        ------
        ValueError
            Naming both.
        """
        found = self.values.get("model_type")
        if found != model_type:
            raise ValueError(f"{self.where}: model_type is {found!r}; only {model_type!r} is computed here")

    def check_plain(self, values: Mapping[str, Any]) -> None:
        """Refuse a setting that changes what is computed, unless it is left out, empty, or has this value.

        Raises
        ------
        ValueError
            Naming the setting and the value that would be right.
        """
        for name, right in (PLAIN | dict(values)).items():
            value = self.values.get(name)
            # None and an empty list or mapping say that there is nothing of the kind.
            if value is not None and value != right and value not in ([], {}):
                raise ValueError(f"{self.where}: {name}={value!r} is not computed here, only {right!r}")

    def activation(self, name: str, default: str) -> str:
        """What the nonlinearity is called here.

        Raises
        ------
        ValueError
            If there is none of that name, listing the names.
        """
        value = value_or(self.values, name, default)
        if not isinstance(value, str) or value not in ACTIVATION_NAMES:
            known = ", ".join(map(repr, ACTIVATION_NAMES))
            raise ValueError(f"{self.where}: {name}={value!r} is not computed here, only {known}")
        return ACTIVATION_NAMES[value]

    def ties(self, head: Tensor | None, embedding: Tensor, *, default: bool) -> bool:
        """Whether the head is the token embedding.

        Raises
        ------
        ValueError
            If the settings say so, and the tensors differ.
        """
        name = "tie_word_embeddings"
        tied = value_or(self.values, name, default)
        check_flag(f"{self.where}: {name}", tied)
        if tied and head is not None and not torch.equal(head, embedding):
            says = "true" if self.values.get(name) else "left out, which means true"
            raise ValueError(f"{self.where}: {name} is {says}, yet lm_head is not the embedding")
        return tied

    def renamed(self, names: Mapping[str, str], optional: Mapping[str, Any]) -> dict[str, Any]:
        """The settings by the names that they have here.

        Parameters
        ----------
        names
            Hugging Face's name for each of ours.
        optional
            Those of our names that may be left out, and what they are then.

        Raises
        ------
        ValueError
            Naming what is missing.
        """
        found = {
            ours: self.values[theirs] for ours, theirs in names.items() if self.values.get(theirs) is not None
        }
        missing = [theirs for ours, theirs in names.items() if ours not in found and ours not in optional]
        if missing:
            raise ValueError(f"{self.where} lacks {' and '.join(missing)}")
        return dict(optional) | found


def value_or(values: Mapping[str, Any], name: str, default: Any) -> Any:
    """A setting, or the default where it is left out: JSON's null leaves out, too."""
    value = values.get(name)
    return default if value is None else value


def read_settings(
    source: str | os.PathLike[str] | Mapping[str, Any],
    config: str | os.PathLike[str] | Mapping[str, Any] | None,
) -> Settings | None:
    """The settings that are given, or else those in the ``config.json`` beside the weights, if there is one.

    Raises
    ------
    ValueError
        If the file cannot be read, or holds no settings.
    """
    if isinstance(config, Mapping):
        return Settings(config, "config")
    if config is not None:
        path = Path(config)
    elif isinstance(source, Mapping):
        return None
    else:
        path = (Path(source) if Path(source).is_dir() else Path(source).parent) / "config.json"
        if not path.exists():
            return None
    try:
        values = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read as a release's settings: {error}") from error
    if not isinstance(values, dict):
        raise ValueError(f"{path} holds no settings by name, but a {type(values).__name__}")
    return Settings(values, str(path))
