"""Models on disk: one safetensors file whose header also says, as JSON, what the tensors are.

The header names the model's class and configuration, so that :func:`load_model` rebuilds it, and holds the
tokenizer and, in a ``last.safetensors``, the state of the training. A digest covers everything. Files are
written beside their final place and moved there whole; nothing read is ever unpickled or executed.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from transformer_lib.training.files import replace_whole
from transformer_lib.training.finite import check_finite, first_not_finite
from transformer_lib.training.models import MODELS
from transformer_lib.training.optimizer import moments

__all__ = [
    "BEST",
    "LAST",
    "SNAPSHOT",
    "Checkpoint",
    "CheckpointError",
    "average_checkpoints",
    "clear_temporaries",
    "holds_run",
    "load_checkpoint",
    "load_model",
    "read_header",
    "save_checkpoint",
    "snapshots",
]

BEST = "best.safetensors"
"""The file of the parameters with the lowest validation loss so far, in a run's folder."""

LAST = "last.safetensors"
"""The file from which an interrupted run goes on."""

SNAPSHOT = "step-{}.safetensors"
"""The file of a snapshot, by its step."""

FORMAT_VERSION = 2
HEADER_KEY = "transformer_lib"
PICKLE_STARTS = (b"PK\x03\x04", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")


class CheckpointError(ValueError):
    """A file that is no checkpoint of this library, or one that is damaged, too new, or of another model."""


@dataclass(frozen=True)
class Checkpoint:
    """What a file holds.

    Attributes
    ----------
    path : Path
        The file.
    model_class : str
        Name of the model's class.
    model_config : dict or None
        What the class is built from; ``None`` if it is none of the library's models.
    weights : dict of Tensor
        By parameter name; of parameters that are tied, the first name only.
    tokenizer : dict or None
        As the tokenizer's ``to_dict`` gave it.
    training : dict or None
        The state of the training, as JSON.
    tensors : dict of Tensor
        The tensors of that state, such as the optimizer's moments.
    optimizer_class : str or None
        Name of the class of the optimizer whose moments these are.
    """

    path: Path
    model_class: str
    model_config: dict[str, Any] | None
    weights: dict[str, Tensor]
    tokenizer: dict[str, Any] | None = None
    training: dict[str, Any] | None = None
    tensors: dict[str, Tensor] = field(default_factory=dict)
    optimizer_class: str | None = None

    def load_into(self, model: nn.Module) -> None:
        """Copy the weights into ``model``.

        Raises
        ------
        CheckpointError
            If the model's class, parameter names, shapes or types differ. The model is then unchanged.
        """
        name = type(model).__name__
        if name != self.model_class:
            raise CheckpointError(
                f"{self.path} holds a {self.model_class}; it cannot be loaded into a {name}"
            )
        targets = untied_state(model)
        missing, unexpected = targets.keys() - self.weights.keys(), self.weights.keys() - targets.keys()
        if missing or unexpected:
            raise CheckpointError(
                f"{self.path} does not fit this {name}: "
                f"missing {sorted(missing) or 'nothing'}, unexpected {sorted(unexpected) or 'nothing'}"
            )
        for key, target in targets.items():
            weight = self.weights[key]
            if (weight.shape, weight.dtype) != (target.shape, target.dtype):
                raise CheckpointError(
                    f"{self.path} does not fit this {name}: {key} is {_describe(weight)} in the file "
                    f"and {_describe(target)} in the model"
                )
        with torch.no_grad():
            for key, target in targets.items():
                target.copy_(self.weights[key])

    def build_model(self) -> nn.Module:
        """The model that was saved, on the CPU and in evaluation mode.

        Raises
        ------
        CheckpointError
            If the class is none of the library's models, its configuration does not build one, or a weight
            is NaN or infinite.
        """
        if self.model_class not in MODELS or self.model_config is None:
            raise CheckpointError(
                f"{self.path} holds a {self.model_class}, which is none of {', '.join(sorted(MODELS))}, or "
                "has positions or a mask of its own: build the model yourself and call "
                "load_checkpoint(path).load_into(model)"
            )
        try:
            model = MODELS[self.model_class].build(self.model_config)
        except (TypeError, ValueError, RuntimeError, MemoryError, OverflowError) as error:
            raise CheckpointError(
                f"{self.path}: its configuration does not build a {self.model_class}: {error}"
            ) from error
        floats = {weight.dtype for weight in self.weights.values() if weight.is_floating_point()}
        if len(floats) == 1:
            model = model.to(floats.pop())
        self.load_into(model)
        self.check_weights(model)
        return model.eval()

    def check_weights(self, model: nn.Module) -> None:
        """Refuse weights with an entry that is NaN or infinite, where they are parameters of ``model``."""
        names = dict(model.named_parameters())
        name = first_not_finite({key: value for key, value in self.weights.items() if key in names})
        if name is not None:
            raise CheckpointError(
                f"{self.path} holds weights that are not finite ({name}), from a training that diverged: "
                "take another checkpoint, or train again with a lower learning_rate"
            )


def save_checkpoint(
    path: str | os.PathLike[str],
    model: nn.Module,
    *,
    optimizer: Optimizer | Sequence[Optimizer] | None = None,
    tokenizer: Mapping[str, Any] | None = None,
    training: Mapping[str, Any] | None = None,
    tensors: Mapping[str, Tensor] | None = None,
) -> Path:
    """Write ``model`` and what belongs to it to the file ``path``, whole or not at all.

    Parameters
    ----------
    optimizer
        The optimizer of the model's parameters, or several that share them, whose moments
        :func:`~transformer_lib.training.load_optimizer` restores.
    tokenizer, training
        Plain values that JSON can hold.
    tensors
        Further tensors, which come back as :attr:`Checkpoint.tensors`.

    Raises
    ------
    ValueError
        If the optimizer is not one of the model, or its state is not made of tensors.
    FloatingPointError
        If a parameter has an entry that is NaN or infinite; the file is then as it was.
    """
    check_finite(model)
    name = type(model).__name__
    optimizers = [optimizer] if isinstance(optimizer, Optimizer) else optimizer or []
    state = dict(tensors or {}) | moments(model, *optimizers)
    content = {f"model.{key}": value for key, value in untied_state(model).items()}
    content |= {f"state.{key}": value for key, value in state.items()}
    content = {key: value.detach().cpu().contiguous() for key, value in content.items()}
    header: dict[str, Any] = {
        "format_version": FORMAT_VERSION,
        "model": {"class": name, "config": MODELS[name].describe(model) if name in MODELS else None},
        "tokenizer": tokenizer,
        "training": training,
        "optimizer": type(optimizers[0]).__name__ if optimizers else None,
    }
    header = json.loads(json.dumps(header, allow_nan=False))  # as it will be read, with texts as keys
    header["digest"] = _digest(header, content)
    metadata = {HEADER_KEY: json.dumps(header)}

    def write(temporary: Path) -> None:
        try:
            save_file(content, temporary, metadata=metadata)
        except SafetensorError as error:
            raise OSError(f"{path} cannot be written: {error}") from error

    return replace_whole(Path(path), write)


def load_checkpoint(path: str | os.PathLike[str], prefer: str = BEST) -> Checkpoint:
    """Read a checkpoint, or from the folder of a run the file ``prefer`` or else the other one.

    Raises
    ------
    CheckpointError
        If there is none; if the file is truncated or altered, comes from elsewhere, or has another format.
    """
    path = _find(Path(path), prefer)
    header, content = _read(path)
    if header.pop("digest", None) != _digest(header, content):
        raise CheckpointError(f"{path} is damaged: its content does not match its digest")
    try:
        return Checkpoint(
            path=path,
            model_class=header["model"]["class"],
            model_config=header["model"]["config"],
            weights=with_prefix(content, "model."),
            tokenizer=header["tokenizer"],
            training=header["training"],
            tensors=with_prefix(content, "state."),
            optimizer_class=header.get("optimizer"),
        )
    except (KeyError, TypeError) as error:
        raise CheckpointError(f"{path} is damaged: its header lacks {error}") from error


def read_header(path: str | os.PathLike[str], prefer: str = BEST) -> dict[str, Any]:
    """What a checkpoint says of itself: its tensors are not read, and its digest is not checked.

    Raises
    ------
    CheckpointError
        As for :func:`load_checkpoint`.
    """
    return _read(_find(Path(path), prefer), with_tensors=False)[0]


def load_model(path: str | os.PathLike[str]) -> nn.Module:
    """The model in a checkpoint or in the folder of a run (its best one), in evaluation mode.

    Raises
    ------
    CheckpointError
        As for :func:`load_checkpoint` and :meth:`Checkpoint.build_model`.
    """
    return load_checkpoint(path).build_model()


def holds_run(run_dir: str | os.PathLike[str]) -> bool:
    """Whether a run has saved a checkpoint in the folder, from which it can be resumed."""
    return any(Path(run_dir, name).exists() for name in (BEST, LAST))


def snapshots(run_dir: str | os.PathLike[str]) -> list[Path]:
    """The weights that a run with ``keep_last`` has kept, the oldest first."""
    found = Path(run_dir).glob(SNAPSHOT.format("[0-9]*"))
    return sorted((path for path in found if path.stem.partition("-")[2].isdecimal()), key=snapshot_step)


def snapshot_step(path: Path) -> int:
    """The step after which a run with ``keep_last`` has kept these weights."""
    return int(path.stem.partition("-")[2])


def average_checkpoints(paths: Sequence[str | os.PathLike[str]]) -> Checkpoint:
    r"""The mean of several checkpoints' weights, as a checkpoint of the same model, which is in no file.

    With :math:`\theta_1, \dots, \theta_n` the weights of one run after as many evaluations, their mean
    :math:`\tfrac{1}{n} \sum_i \theta_i` often does a little better than the best of them. What is no number
    with a fraction is the last one's.

    Raises
    ------
    CheckpointError
        If one cannot be read, or holds another model than the last one, saying what differs.
    ValueError
        If there are none.

    Source: Vaswani et al. (2017), section 6.1 (the last 5 checkpoints, or the last 20)
    """
    if not paths:
        raise ValueError("there are no checkpoints to average: train with keep_last, and give its snapshots")
    *earlier, last = [load_checkpoint(path) for path in paths]
    for one in earlier:
        known, found = _model(last), _model(one)
        if others := " and ".join(name for name in known | found if known.get(name) != found.get(name)):
            raise CheckpointError(f"{one.path} holds another model than {last.path}: another {others}")
    mean = {
        key: torch.stack([one.weights[key].double() for one in (*earlier, last)]).mean(dim=0).to(weight.dtype)
        if weight.is_floating_point()
        else weight
        for key, weight in last.weights.items()
    }
    return replace(last, weights=mean, training=None, tensors={})


def _model(checkpoint: Checkpoint) -> dict[str, Any]:
    """What checkpoints of one model have in common, by name."""
    shapes = {key: weight.shape for key, weight in checkpoint.weights.items()}
    kind = {"class": checkpoint.model_class, "tokenizer": checkpoint.tokenizer, "shapes": shapes}
    return kind | (checkpoint.model_config or {})


def untied_state(model: nn.Module) -> dict[str, Tensor]:
    """The model's state with each tensor once: one that is tied to another goes by its first name."""
    state, seen = {}, set()
    for key, value in model.state_dict(keep_vars=True).items():
        if id(value) not in seen:
            seen.add(id(value))
            state[key] = value
    return state


def with_prefix(content: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """The tensors whose names begin with ``prefix``, by the rest of their names."""
    return {key.removeprefix(prefix): value for key, value in content.items() if key.startswith(prefix)}


def clear_temporaries(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder; no other may be at work there."""
    for name in (BEST, LAST, SNAPSHOT.format("[0-9]*")):
        for temporary in folder.glob(f".{name}.*.tmp"):
            temporary.unlink(missing_ok=True)


def _find(path: Path, prefer: str) -> Path:
    if not path.is_dir():
        if not path.exists():
            raise CheckpointError(f"{path}: no such checkpoint; give a .safetensors file or a run's folder")
        return path
    for name in (prefer, LAST if prefer == BEST else BEST):
        if (path / name).is_file():
            return path / name
    raise CheckpointError(f"{path} is a folder without a checkpoint: it has no {BEST} and no {LAST}")


def _read(path: Path, with_tensors: bool = True) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The header of a file, and its tensors by their names in it."""
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            names = file.keys() if with_tensors else ()
            content = {key: file.get_tensor(key).clone() for key in names}
    except (SafetensorError, OSError, UnicodeError) as error:
        raise CheckpointError(_why_unreadable(path, error)) from error
    if HEADER_KEY not in metadata:
        raise CheckpointError(f"{path} is a safetensors file, but not a checkpoint of transformer_lib")
    try:
        header = json.loads(metadata[HEADER_KEY])
        version = header["format_version"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged: its header cannot be read ({error})") from error
    if version != FORMAT_VERSION:
        raise CheckpointError(
            f"{path} has checkpoint format {version!r}, and this version of transformer_lib reads format "
            f"{FORMAT_VERSION}: load it with the version that wrote it, or train again"
        )
    return header, content


def _why_unreadable(path: Path, error: Exception) -> str:
    if isinstance(error, OSError) and not isinstance(error, SafetensorError):
        return f"{path} cannot be read: {error.strerror or error}"
    with path.open("rb") as file:
        start = file.read(4)
    if any(start.startswith(pickle) for pickle in PICKLE_STARTS):
        return f"{path} is a pickled PyTorch file, which is never opened: checkpoints are safetensors"
    return f"{path} is truncated, damaged, or not a safetensors file ({error})"


def _digest(header: Mapping[str, Any], content: Mapping[str, Tensor]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for key in sorted(content):
        digest.update(f"\n{key} {_describe(content[key])}\n".encode())
        digest.update(content[key].reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _describe(tensor: Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"
