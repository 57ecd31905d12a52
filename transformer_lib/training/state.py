"""What a training run has reached, and how it is read back from ``last.safetensors``."""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from transformer_lib.training.checkpoints import (
    BEST,
    LAST,
    Checkpoint,
    CheckpointError,
    load_checkpoint,
    snapshots,
    with_prefix,
)
from transformer_lib.training.config import TrainingConfig
from transformer_lib.training.finite import first_not_finite
from transformer_lib.training.models import MODELS
from transformer_lib.training.optimizer import placed

__all__ = ["Evaluation", "TrainingResult", "check_same_model", "last_good", "load_optimizer", "read_run"]

log = logging.getLogger(__name__)

FREE_ON_RESUME = {
    *("steps", "evaluate_every", "checkpoint_every", "keep_last", "patience", "accumulation"),
    *("precision", "device", "sharding", "compile", "activation_checkpointing"),
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

    def summary(self, n_steps: int) -> str:
        """The loss of the last ``n_steps``, the best evaluation and the speed, for a bar."""
        recent = self.losses[-n_steps:]
        text = f"loss {math.fsum(recent) / len(recent):.3f}"
        if self.best is not None:
            text += f", best validation {self.best.validation_loss:.3f}"
        return f"{text}, {self.tokens_per_second:,.0f} tokens/s"

    @property
    def stopped_early(self) -> bool:
        """Whether the last ``patience`` evaluations brought no new best."""
        if self.patience is None or self.best is None:
            return False
        return len(self.evaluations) - 1 - self.evaluations.index(self.best) >= self.patience


def check_same_model(checkpoint: Checkpoint, model: nn.Module) -> None:
    """Refuse to go on with a model that computes something else from the same weights.

    Raises
    ------
    CheckpointError
        If both are built from configurations, and these differ in more than rates of dropout.
    """
    saved, kind = checkpoint.model_config, MODELS.get(type(model).__name__)
    own = None if kind is None else kind.describe(model)
    if saved is None or own is None or type(model).__name__ != checkpoint.model_class:
        return
    for name in saved.keys() & own.keys():
        if saved[name] != own[name] and "dropout" not in name:
            raise CheckpointError(
                f"{checkpoint.path} is a run of a model with {name}={saved[name]!r}: it cannot resume with "
                f"{own[name]!r}"
            )


def read_run(
    run_dir: Path, result: TrainingResult, config: TrainingConfig, batches_per_update: int
) -> Checkpoint:
    """The ``last.safetensors`` of a run that is to go on; ``result`` becomes what it had reached.

    Raises
    ------
    CheckpointError
        If there is nothing to resume, or the run had other settings. Settings that leave the updates made
        so far as they were may differ: the number of steps, how often to evaluate and to save, patience,
        device, precision, sharding, compilation and activation checkpointing, and how the batches of an
        update are divided into accumulation and processes.
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
            f"{path} was trained with {before_update} batches per update, accumulation times processes: it "
            f"cannot resume with {batches_per_update}"
        )
    if config.steps < result.steps:
        raise CheckpointError(
            f"{path} has made {result.steps} steps: it cannot resume with steps={config.steps}"
        )
    return checkpoint


def last_good(checkpoint: Checkpoint, result: TrainingResult, model: nn.Module) -> Checkpoint:
    """The checkpoint of :func:`read_run`, or one before it if its weights are not finite, and say so.

    Earlier weights come from the best or the latest evaluation, whose files hold no moments: these begin
    anew. ``result`` then ends where they were saved.

    Raises
    ------
    CheckpointError
        If no weights of the run are finite.
    """
    try:
        checkpoint.check_weights(model)
        if (name := first_not_finite(checkpoint.tensors)) is None:
            return checkpoint
        trouble = CheckpointError(f"{checkpoint.path} holds {name}, which is not finite")
    except CheckpointError as error:
        trouble = error
    folder = checkpoint.path.parent
    good: dict[int, Checkpoint] = {}
    for path in [folder / BEST, *snapshots(folder)]:
        if path.exists():
            earlier = load_checkpoint(path)
            training = earlier.training or {}
            point = training.get("evaluation") or training.get("best")
            names = dict(model.named_parameters())
            weights = {key: value for key, value in earlier.weights.items() if key in names}
            if point is not None and first_not_finite(weights) is None and point["step"] <= result.steps:
                good[point["step"]] = earlier
    if not good or with_prefix(checkpoint.tensors, "loss."):
        raise trouble
    step = max(good)
    log.warning("%s; going on from %s, after step %d", trouble, good[step].path, step)
    result.tokens = result.tokens * step // max(result.steps, 1)
    result.losses = result.losses[:step]
    result.evaluations = [point for point in result.evaluations if point.step <= step]
    return good[step]


def load_optimizer(
    checkpoint: Checkpoint, model: nn.Module, optimizer: Optimizer, *others: Optimizer
) -> None:
    """Give the optimizers the moments in ``checkpoint``; the options of their groups stay as they are.

    So a training loop of one's own goes on exactly: build model and optimizer as before, call
    ``checkpoint.load_into(model)`` and this, and set the learning rate of the step.

    Parameters
    ----------
    checkpoint
        From :func:`save_checkpoint` with ``optimizer``, or the last one of a run.
    model
        Its parameter names say which moments belong to which parameter.
    optimizer, others
        In the order in which they were saved; of a run those that
        :func:`~transformer_lib.training.optimizers` gives.

    Raises
    ------
    CheckpointError
        If there are no moments, or they are those of another optimizer or model. The optimizers are then
        unchanged.
    """
    path, kind, name = checkpoint.path, checkpoint.optimizer_class, type(optimizer).__name__
    if kind is None:
        settings = (checkpoint.training or {}).get("config", {})
        kind = "Muon" if settings.get("optimizer") == "muon" else "AdamW"
    saved: dict[str, dict[str, Tensor]] = {}
    for key, value in with_prefix(checkpoint.tensors, "optimizer.").items():
        moment, _, parameter_name = key.partition(".")
        saved.setdefault(parameter_name, {})[moment] = value
    if not saved:
        raise CheckpointError(f"{path} holds no state of an optimizer")
    if kind != name:
        raise CheckpointError(f"{path} holds the state of {kind}; it cannot be loaded into {name}")
    names = {id(parameter): key for key, parameter in model.named_parameters()}
    both, states = (optimizer, *others), []
    for one in both:
        state: dict[int, dict[str, Tensor]] = {}
        order = [parameter for group in one.param_groups for parameter in group["params"]]
        for number, parameter in enumerate(order):
            key = names.get(id(parameter), "")
            weight, found = checkpoint.weights.get(key), saved.get(key, {})
            fits = weight is not None and weight.shape == parameter.shape
            if found and fits and _are_moments_of(one, found):
                state[number] = {moment: placed(value, parameter) for moment, value in found.items()}
                del saved[key]
        states.append(state)
    if saved:
        raise CheckpointError(
            f"{path} holds the state of {next(iter(saved))}, which does not fit this optimizer"
        )
    for one, state in zip(both, states, strict=True):
        one.load_state_dict(one.state_dict() | {"state": state})


def _are_moments_of(optimizer: Optimizer, found: Mapping[str, Tensor]) -> bool:
    """Whether the moments may be this optimizer's: those of AdamW and of Muon are known by their names."""
    known: dict[str, set[str]] = {
        "AdamW": {"step", "exp_avg", "exp_avg_sq"},
        "Muon": {"momentum_buffer"},
    }
    return known.get(type(optimizer).__name__, set()) <= found.keys()
