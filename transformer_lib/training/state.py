"""What a training run has reached, and how it is read back from ``last.safetensors``."""

from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

import torch

from transformer_lib.training.checkpoints import LAST, Checkpoint, CheckpointError, load_checkpoint
from transformer_lib.training.config import TrainingConfig

__all__ = ["Evaluation", "TrainingResult", "read_run"]

FREE_ON_RESUME = {
    *("steps", "evaluate_every", "checkpoint_every", "keep_last", "patience", "accumulation"),
    *("precision", "device", "sharding", "compile"),
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
class TrainingResult:
    """What :func:`~transformer_lib.training.train` has done.

    Attributes
    ----------
    device : torch.device
        Where the model is.
    run_dir : Path or None
        Where the checkpoints are.
    patience : int or None
        Evaluations without a new best after which the run stops.
    losses : list of float
        Training loss of every step from the first, including those before a resumption.
    evaluations : list of Evaluation
        The curve.
    tokens : int
        Tokens predicted in training.
    seconds : float
        Time of the whole run, including evaluations.
    update_seconds : float
        Time of the updates alone.
    """

    device: torch.device
    run_dir: Path | None = None
    patience: int | None = None
    losses: list[float] = field(default_factory=list)
    evaluations: list[Evaluation] = field(default_factory=list)
    tokens: int = 0
    seconds: float = 0.0
    update_seconds: float = 0.0

    @property
    def steps(self) -> int:
        """Updates made."""
        return len(self.losses)

    @property
    def best(self) -> Evaluation | None:
        """The first evaluation with the lowest validation loss."""
        scored = [point for point in self.evaluations if point.validation_loss is not None]
        return min(scored, key=attrgetter("validation_loss"), default=None)

    @property
    def tokens_per_second(self) -> float:
        """Speed of the updates alone."""
        return self.tokens / self.update_seconds if self.update_seconds else 0.0

    @property
    def overhead(self) -> float:
        """The share of the run's time that evaluations and saves took."""
        return 1.0 - self.update_seconds / self.seconds if self.seconds else 0.0

    @property
    def stopped_early(self) -> bool:
        """Whether the last ``patience`` evaluations brought no new best."""
        if self.patience is None or self.best is None:
            return False
        return len(self.evaluations) - 1 - self.evaluations.index(self.best) >= self.patience


def read_run(
    run_dir: Path, result: TrainingResult, config: TrainingConfig, batches_per_update: int
) -> Checkpoint:
    """The ``last.safetensors`` of a run that is to go on; ``result`` becomes what it had reached.

    Raises
    ------
    CheckpointError
        If there is nothing to resume, or the run had other settings. Settings that leave the updates made
        so far as they were may differ: the number of steps, how often to evaluate and to save, patience,
        device, precision, sharding and compilation, and how the batches of an update are divided into
        accumulation and processes.
    """
    path = run_dir / LAST
    checkpoint = load_checkpoint(path)
    training = checkpoint.training
    if training is None or "losses" not in checkpoint.tensors:
        raise CheckpointError(f"{path} holds a model, but no training to resume")
    try:
        before = TrainingConfig.from_dict(training["config"]).to_dict()
        result.losses = checkpoint.tensors["losses"].tolist()
        result.evaluations = [Evaluation(**point) for point in training["evaluations"]]
        result.tokens, result.seconds = training["tokens"], training["seconds"]
        result.update_seconds = training["update_seconds"]
        if not isinstance(training["scaler"], dict | None):
            raise TypeError(f"the scaler's state is {training['scaler']!r}")
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
    if config.steps < result.steps:
        raise CheckpointError(
            f"{path} has made {result.steps} steps: it cannot resume with steps={config.steps}"
        )
    return checkpoint
