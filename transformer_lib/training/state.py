"""What a training run has reached, and how that is saved in ``last.safetensors`` and read back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from transformer_lib.training.checkpoints import LAST, CheckpointError, load_checkpoint, save_checkpoint
from transformer_lib.training.config import TrainingConfig
from transformer_lib.training.parallel import shard_like, whole

__all__ = ["Evaluation", "TrainingResult", "TrainingState", "moments", "parameter_groups", "restore", "save"]

FREE_ON_RESUME = {
    "accumulation",
    "steps",
    "evaluate_every",
    "checkpoint_every",
    "patience",
    "precision",
    "device",
    "sharding",
    "compile",
}


@dataclass(frozen=True)
class Evaluation:
    """One point of the curve.

    Attributes
    ----------
    step : int
        Updates made before it.
    training_loss : float
        Mean over the steps since the point before.
    validation_loss : float or None
        What ``evaluate`` returned; ``None`` without one.
    """

    step: int
    training_loss: float
    validation_loss: float | None


@dataclass
class TrainingState:
    """The progress of a run apart from the parameters and the optimizer's moments."""

    losses: list[float] = field(default_factory=list)
    evaluations: list[Evaluation] = field(default_factory=list)
    tokens: int = 0
    seconds: float = 0.0
    update_seconds: float = 0.0

    @property
    def step(self) -> int:
        """Updates made."""
        return len(self.losses)

    @property
    def best(self) -> Evaluation | None:
        """The first evaluation with the lowest validation loss."""
        scored = [point for point in self.evaluations if point.validation_loss is not None]
        return min(scored, key=lambda point: point.validation_loss, default=None)

    @property
    def tokens_per_second(self) -> float:
        """Speed of the updates alone."""
        return self.tokens / self.update_seconds if self.update_seconds else 0.0

    def has_stalled(self, patience: int | None) -> bool:
        """Whether the last ``patience`` evaluations brought no new best."""
        if patience is None or self.best is None:
            return False
        return len(self.evaluations) - 1 - self.evaluations.index(self.best) >= patience


@dataclass(frozen=True)
class TrainingResult:
    """What :func:`~transformer_lib.training.train` did.

    Attributes
    ----------
    losses : list of float
        Training loss of every step from the first, also of those before a resumption.
    evaluations : list of Evaluation
        The curve.
    best : Evaluation or None
        The first evaluation with the lowest validation loss.
    tokens : int
        Tokens predicted in training.
    seconds : float
        Time of the whole run, evaluations included.
    tokens_per_second : float
        Speed of the updates alone.
    stopped_early : bool
        Whether patience ran out.
    device : torch.device
        Where the model is.
    run_dir : Path or None
        Where the checkpoints are.
    """

    losses: list[float]
    evaluations: list[Evaluation]
    best: Evaluation | None
    tokens: int
    seconds: float
    tokens_per_second: float
    stopped_early: bool
    device: torch.device
    run_dir: Path | None

    @property
    def steps(self) -> int:
        """Updates made."""
        return len(self.losses)


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """AdamW's parameters: matrices decay; embeddings, and whatever has one dimension or none, do not.

    A head that is tied to an embedding is that embedding, so it does not decay either. A module whose own
    parameter is a table to look things up in names it in its attribute ``no_decay``, a tuple of names.
    """
    embeddings = set()
    for module in model.modules():
        is_embedding = isinstance(module, nn.Embedding | nn.EmbeddingBag)
        names = ("weight",) if is_embedding else getattr(module, "no_decay", ())
        embeddings |= {id(getattr(module, name)) for name in names}
    decayed, free = [], []
    for parameter in model.parameters():
        if parameter.requires_grad:
            is_free = parameter.ndim < 2 or id(parameter) in embeddings
            (free if is_free else decayed).append(parameter)
    return [{"params": decayed, "weight_decay": weight_decay}, {"params": free, "weight_decay": 0.0}]


def moments(model: nn.Module, optimizer: Optimizer) -> dict[str, Tensor]:
    """The optimizer's state by parameter name, whole; sharded processes must ask for it all at once."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    return {
        f"optimizer.{key}.{names[id(parameter)]}": whole(value)
        for parameter, state in optimizer.state.items()
        for key, value in state.items()
    }


def save(
    run_dir: Path,
    model: nn.Module,
    moments: Mapping[str, Tensor],
    config: TrainingConfig,
    state: TrainingState,
    *,
    batches_per_update: int,
    scaler: Mapping[str, Any] | None,
    tokenizer: Mapping[str, Any] | None,
    notes: Mapping[str, Any] | None,
) -> None:
    """Write everything that :func:`restore` needs to ``last.safetensors``."""
    tensors = {"losses": torch.tensor(state.losses, dtype=torch.float64), **moments}
    training = {
        "config": config.to_dict(),
        "batches_per_update": batches_per_update,
        "evaluations": [asdict(point) for point in state.evaluations],
        "tokens": state.tokens,
        "seconds": state.seconds,
        "update_seconds": state.update_seconds,
        "scaler": dict(scaler) if scaler else None,
        "notes": dict(notes) if notes else None,
    }
    save_checkpoint(run_dir / LAST, model, tokenizer=tokenizer, training=training, tensors=tensors)


def restore(
    run_dir: Path,
    model: nn.Module,
    trained: nn.Module,
    optimizer: Optimizer,
    config: TrainingConfig,
    batches_per_update: int,
) -> tuple[TrainingState, dict[str, Any] | None, dict[str, Tensor]]:
    """Put model and optimizer back to where the run in ``run_dir`` was saved.

    Returns its state, the scaler's, and what the loss carried. The optimizer's parameters are
    those of ``trained``, which is ``model`` or a sharded copy of it.

    Raises
    ------
    CheckpointError
        If there is nothing to resume, or the run had another model or other settings. Settings that leave
        the updates made so far as they were may differ: the number of steps, how often to evaluate and to
        save, patience, device, precision, sharding and compilation, and how the batches of an update are
        divided into accumulation and processes.
    """
    path = run_dir / LAST
    checkpoint = load_checkpoint(path)
    training = checkpoint.training
    if training is None or "losses" not in checkpoint.tensors:
        raise CheckpointError(f"{path} holds a model, but no training to resume")
    try:
        before = TrainingConfig.from_dict(training["config"]).to_dict()
        state = TrainingState(
            losses=checkpoint.tensors["losses"].tolist(),
            evaluations=[Evaluation(**point) for point in training["evaluations"]],
            tokens=training["tokens"],
            seconds=training["seconds"],
            update_seconds=training["update_seconds"],
        )
        scaler = training["scaler"]
        if not isinstance(scaler, dict | None):
            raise TypeError(f"the scaler's state is {scaler!r}")
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: its training cannot be read: {error}") from error
    for name, value in config.to_dict().items():
        if name not in FREE_ON_RESUME and before[name] != value:
            raise CheckpointError(
                f"{path} was trained with {name}={before[name]!r}: it cannot resume with {value!r}"
            )
    before_update = training.get("batches_per_update", before["accumulation"])
    if before_update != batches_per_update:
        raise CheckpointError(
            f"{path} was trained with {before_update} batches an update, accumulation times processes: it "
            f"cannot resume with {batches_per_update}"
        )
    if config.steps < state.step:
        raise CheckpointError(
            f"{path} has made {state.step} steps: it cannot resume with steps={config.steps}"
        )
    checkpoint.load_into(model)
    try:
        _restore_moments(checkpoint.tensors, trained, optimizer)
    except (KeyError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path}: its optimizer's state cannot be read: {error}") from error
    prefix = "loss."
    carried = {
        key.removeprefix(prefix): value for key, value in checkpoint.tensors.items() if key.startswith(prefix)
    }
    return state, scaler, carried


def _restore_moments(tensors: Mapping[str, Tensor], model: nn.Module, optimizer: Optimizer) -> None:
    indices: dict[int, int] = {}
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            indices[id(parameter)] = len(indices)
    parameters = dict(model.named_parameters())
    restored: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        if key.startswith("optimizer."):
            _, moment, name = key.split(".", 2)
            parameter = parameters[name]
            restored.setdefault(indices[id(parameter)], {})[moment] = shard_like(value, parameter)
    optimizer.load_state_dict(optimizer.state_dict() | {"state": restored})
