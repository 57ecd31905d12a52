"""What the loaders of released weights share: reading a file, and saying what does not fit."""

import os
from collections.abc import Collection, Mapping

import torch
from torch import Tensor

from transformer_lib.checks import how_to_install

__all__ = ["check_released", "one_floating_type", "read_released"]

MOST_LISTED = 5


def read_released(source: str | os.PathLike[str] | Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors by name, of a mapping or of a local safetensors file.

    Raises
    ------
    ValueError
        If the file cannot be read.
    ImportError
        If there is a file and safetensors is not installed.
    """
    if isinstance(source, Mapping):
        return dict(source)
    try:
        from safetensors import SafetensorError
        from safetensors.torch import load_file
    except ImportError as error:
        told = f"reading a file needs safetensors: {how_to_install('train')}"
        raise ImportError(told, name="safetensors") from error
    try:
        return load_file(source)
    except (SafetensorError, OSError, UnicodeError) as error:
        raise ValueError(f"{os.fspath(source)} cannot be read as a safetensors file: {error}") from error


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
