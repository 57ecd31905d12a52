"""Weights that are numbers: NaN and infinity are found before they are saved, and in what was saved."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

__all__ = ["REMEDY", "check_finite", "first_not_finite"]

REMEDY = "lower learning_rate, or raise warmup_steps"


def first_not_finite(tensors: Mapping[str, Tensor]) -> str | None:
    """The name of the first tensor with an entry that is NaN or infinite; ``None`` if there is none."""
    by_device: dict[torch.device, list[tuple[str, Tensor]]] = {}
    for name, tensor in tensors.items():
        if tensor.is_floating_point() or tensor.is_complex():
            is_finite = torch.isfinite(tensor.detach()).all()
            by_device.setdefault(tensor.device, []).append((name, is_finite))
    for flags in by_device.values():
        names, values = zip(*flags, strict=True)
        for name, is_finite in zip(names, torch.stack(values).tolist(), strict=True):  # one wait for a GPU
            if not is_finite:
                return str(name)
    return None


def check_finite(model: nn.Module, when: str = "to be saved") -> None:
    """Refuse a model of which a parameter has an entry that is NaN or infinite; buffers may.

    Raises
    ------
    FloatingPointError
        Naming the parameter.
    """
    name = first_not_finite(dict(model.named_parameters()))
    if name is not None:
        raise FloatingPointError(
            f"the weights {when} are not finite ({name}), so they are not kept: {REMEDY}"
        )
