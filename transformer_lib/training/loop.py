"""The training loop: batches in; a trained model, its curve and its checkpoints out.

An update depends on the parameters, the optimizer's state and the number of the step alone: batches are read
by number, and what is random in one, such as dropout, is seeded by its number. So a run that was interrupted
goes on exactly as if it had not been, also with another number of processes.
"""

import json
import math
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from transformer_lib.data.batches import Batches
from transformer_lib.losses import n_targets
from transformer_lib.training.checkpoints import (
    BEST,
    LAST,
    SNAPSHOT,
    clear_temporaries,
    holds_run,
    load_checkpoint,
    save_checkpoint,
    snapshot_step,
    snapshots,
    untied_state,
    with_prefix,
)
from transformer_lib.training.config import TrainingConfig
from transformer_lib.training.finite import REMEDY, check_finite, first_not_finite
from transformer_lib.training.interruption import ctrl_c_held_back
from transformer_lib.training.lock import holding
from transformer_lib.training.optimizer import moments, optimizers
from transformer_lib.training.parallel import Processes, is_main_process, to_device
from transformer_lib.training.progress import tensorboard_writer
from transformer_lib.training.state import (
    Evaluation,
    TrainingResult,
    check_same_model,
    last_good,
    load_optimizer,
    read_run,
)

__all__ = ["train"]

STEPS_BETWEEN_READINGS = 10


def train(
    model: nn.Module,
    loss: Callable[[Any, Any], Tensor],
    batches: Batches,
    config: TrainingConfig,
    *,
    evaluate: Callable[[Any], float] | None = None,
    run_dir: str | Path | None = None,
    resume: bool = False,
    log_dir: str | Path | None = None,
    progress: bool = True,
    tokenizer: Mapping[str, Any] | None = None,
    notes: Mapping[str, Any] | None = None,
) -> TrainingResult:
    r"""Minimize ``loss``; leave ``model`` with its best weights, ready to be used.

    Update :math:`s` takes the mean gradient of the batches :math:`sA, \dots, sA + A - 1`, where :math:`A` is
    ``config.accumulation`` times the number of processes, which share them. In that mean, and in the loss
    that is reported, a batch weighs by its number of targets: the entries of its last tensor without those
    of ``IGNORED_TARGET``, which are padding. After Ctrl-C, a run of one process ends the step, saves, and
    raises ``KeyboardInterrupt``; a second Ctrl-C does not wait. Several processes stop at once, and go on
    from the last save.

    With several processes, each evaluates, the result of the first counts, and only the first writes files.
    When the weights are sharded, ``model`` is a whole copy that is updated for evaluations and saves.

    Parameters
    ----------
    model
        Trained in place; at the end it is in evaluation mode, on the device of the run.
    loss
        ``loss(model, batch)``: the mean over the batch's targets, such as
        :func:`~transformer_lib.losses.language_model_loss`. One that carries a state from batch to batch
        has ``state_dict`` and ``load_state_dict``, as :class:`~transformer_lib.losses.StreamLoss` does.
    batches
        Whatever has ``batch(i)``, deterministic in ``i``.
    evaluate
        ``evaluate(model)``: a number that should be small. The weights with the lowest are kept as
        ``best.safetensors`` and left in the model; without ``evaluate`` the last weights are.
    run_dir
        Folder for ``best.safetensors`` and ``last.safetensors``, which no other run may use meanwhile.
    resume
        Go on from ``last.safetensors`` in ``run_dir``, with any division of the same :math:`A`. A run that
        was stopped when it had only written its first ``best.safetensors`` starts from the beginning. Where
        the last weights are not finite, it goes back to the latest good ones, with new moments.
    log_dir
        Folder for TensorBoard's logs; ``None`` writes none.
    progress
        Show a bar on standard error.
    tokenizer, notes
        JSON values to store in the checkpoints.

    Raises
    ------
    ValueError
        If ``loss`` is a module, ``run_dir`` holds a run that is not to be resumed, is in use by another or
        cannot be written to, the device or precision is not available, or several batches or processes
        share an update of a loss that carries a state.
    ValueError, TypeError
        If ``tokenizer`` or ``notes`` cannot be written as JSON.
    ModuleNotFoundError
        If there is a ``log_dir`` but TensorBoard is missing.
    CheckpointError
        If there is nothing to resume, or what there is does not fit.
    FloatingPointError
        If the loss or a weight becomes infinite or NaN; nothing of it is saved.
    """
    run_dir = None if run_dir is None else Path(run_dir)
    if resume and run_dir is None:
        raise ValueError("resume=True needs the run_dir of the run to resume")
    with nullcontext() if run_dir is None or not is_main_process() else holding(run_dir):
        if run_dir is not None and not resume and holds_run(run_dir):
            raise ValueError(f"{run_dir} already holds a run: resume it, or choose another folder")
        run = _Run(model, loss, batches, config, run_dir, tokenizer, notes)
        return _train(run, evaluate, resume, log_dir, progress)


def _train(
    run: "_Run",
    evaluate: Callable[[Any], float] | None,
    resume: bool,
    log_dir: str | Path | None,
    progress: bool,
) -> TrainingResult:
    """:func:`train` in a folder that is held."""
    config, run_dir = run.config, run.result.run_dir
    is_first, device, result = run.processes.rank == 0, run.processes.device, run.result
    if run_dir is not None and is_first:
        clear_temporaries(run_dir)
    if resume and run_dir is not None:
        if (run_dir / LAST).exists() or not (run_dir / BEST).exists():
            run.restore(run_dir)
        for path in snapshots(run_dir) if is_first else ():
            if snapshot_step(path) > result.steps:
                path.unlink()  # of a step that comes again
    if log_dir is not None and is_first:
        run.board = tensorboard_writer(log_dir, first_step=result.steps + 1)
    bar = tqdm(total=config.steps, initial=result.steps, unit="step", disable=not (progress and is_first))
    with (
        bar,
        run.board or nullcontext(),
        torch.random.fork_rng([device] if device.type == "cuda" else []),
        ctrl_c_held_back(run.processes.count == 1) as was_pressed,
    ):
        begun = time.perf_counter() - result.seconds
        is_over = result.stopped_early
        while run.step < config.steps and not is_over:
            run.update()
            bar.update()
            is_last, is_interrupted = run.step == config.steps, was_pressed()
            evaluates = is_last or _is_due(run.step, config.evaluate_every)
            if evaluates:
                run.evaluate(evaluate)
                is_over = result.stopped_early
            result.seconds = time.perf_counter() - begun
            every = config.checkpoint_every
            saves = evaluates if every is None else _is_due(run.step, every)
            if saves or is_last or is_interrupted or is_over:
                run.save()
            if is_interrupted:
                raise KeyboardInterrupt
            if result.losses and not run.unread:
                bar.set_postfix_str(result.summary(STEPS_BETWEEN_READINGS), refresh=False)
        if was_pressed():  # in the last evaluation or save
            raise KeyboardInterrupt
    run.finish()
    return result


class _Run:
    """A model, what updates it, and how far it has come."""

    def __init__(
        self,
        model: nn.Module,
        loss: Any,
        batches: Batches,
        config: TrainingConfig,
        run_dir: Path | None,
        tokenizer: Mapping[str, Any] | None,
        notes: Mapping[str, Any] | None,
    ) -> None:
        if isinstance(loss, nn.Module):
            raise ValueError(
                "loss must be a function of model and batch, not a module: the model learns, not the loss"
            )
        self.model, self.loss, self.batches, self.config = model, loss, batches, config
        self.tokenizer, self.notes = json.loads(json.dumps([tokenizer, notes], allow_nan=False))
        self.processes = processes = Processes(config)
        self.batches_per_update = config.accumulation * processes.count
        self.carries = hasattr(loss, "state_dict")
        if self.carries and self.batches_per_update > 1:
            raise ValueError(
                "a loss that carries a state takes one batch per update, in one process; got "
                f"{config.accumulation} batches and {processes.count} processes"
            )
        self.trained, self.objective = processes.share(model, loss)
        self.objective.train()
        self.forward = torch.compile(self.objective) if config.compile else self.objective
        self.optimizers = optimizers(self.trained, config)
        self.scaler = torch.amp.GradScaler(processes.device.type, enabled=config.precision == "fp16")
        self.result = TrainingResult(processes.device, run_dir, config.patience)
        self.step = 0  # updates made, including those whose loss is still on the device
        self.unread: list[tuple[Tensor, Tensor]] = []
        self.best_weights: dict[str, Tensor] | None = None
        self.board: Any = None

    def update(self) -> None:
        """One update by the mean gradient of its batches."""
        begun = time.perf_counter()
        config, processes, step = self.config, self.processes, self.step
        # Every process takes each count-th batch of those that belong to the update.
        first = step * self.batches_per_update
        numbers = range(first + processes.rank, first + self.batches_per_update, processes.count)
        batches = [self.batches.batch(number) for number in numbers]
        # The mean is over targets, so a batch weighs by how many it has, in whichever process it is.
        counts = [n_targets(batch) for batch in batches]
        total = processes.sum(torch.tensor(sum(counts)))
        mean_loss = torch.zeros((), device=processes.device)
        for number, batch, count in zip(numbers, batches, counts, strict=True):
            torch.manual_seed(_seed_of_batch(config.seed, number))  # dropout depends on the batch alone
            # Gradients add up here and are averaged over the processes once, in the last backward pass.
            with processes.averaging(self.objective, is_last=number == numbers[-1]):
                with processes.autocast():
                    loss = self.forward(to_device(batch, processes.device))  # a mean: one number
                # Gradients are averaged over the processes, so their number is put back.
                share = count * processes.count / total.clamp(min=1).double()
                loss = loss * share.to(torch.promote_types(loss.dtype, torch.float32))
                self.scaler.scale(loss).backward()
            mean_loss = mean_loss + loss.detach()
        for optimizer in self.optimizers:
            if config.clip_norm is not None:
                self.scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients
            for group in optimizer.param_groups:
                group["lr"] = config.learning_rate_at(step)
        if config.clip_norm is not None:
            nn.utils.clip_grad_norm_(self.objective.parameters(), config.clip_norm)
        for optimizer in self.optimizers:
            self.scaler.step(optimizer)
            optimizer.zero_grad()
        self.scaler.update()
        self.step = step + 1
        self.unread.append((mean_loss, total))  # a loss that is read at once makes a GPU wait
        self.result.update_seconds += time.perf_counter() - begun
        if len(self.unread) == STEPS_BETWEEN_READINGS:
            self.read_losses()

    def read_losses(self) -> None:
        """Fetch the losses from the device, which waits for the updates there: a part of their time."""
        if not self.unread:
            return
        begun = time.perf_counter()
        losses, totals = zip(*self.unread, strict=True)  # (updates,) each
        values = (self.processes.sum(torch.stack(losses)) / self.processes.count).tolist()
        self.result.update_seconds += time.perf_counter() - begun
        for step, value in enumerate(values, start=self.result.steps):
            if not math.isfinite(value):
                raise FloatingPointError(f"the loss of step {step} is {value}: {REMEDY}")
            self.log(step + 1, training_loss=value, learning_rate=self.config.learning_rate_at(step))
        self.result.losses += values
        self.result.tokens += sum(int(total) for total in totals)
        self.unread.clear()

    def evaluate(self, evaluate: Callable[[Any], float] | None) -> None:
        """Add a point to the curve; keep the weights if they are the best so far."""
        self.read_losses()
        result = self.result
        result.evaluations = [point for point in result.evaluations if point.step < result.steps]
        since = result.evaluations[-1].step if result.evaluations else 0
        training_loss = math.fsum(result.losses[since:]) / (result.steps - since)
        value = None
        if evaluate is not None or self.config.keep_last:
            self.collect()
            self.check_weights()
        if evaluate is not None:
            self.model.eval()
            with torch.no_grad():
                value = self.processes.first(float(evaluate(self.model)))
            self.model.train()
            if not math.isfinite(value):
                raise FloatingPointError(f"the evaluation after step {result.steps} gave {value}")
            self.log(result.steps, validation_loss=value)
        point = Evaluation(result.steps, training_loss, value)
        result.evaluations.append(point)
        if point is result.best:
            weights = untied_state(self.model)
            self.best_weights = {key: weight.detach().clone() for key, weight in weights.items()}
            self.write(BEST, {"best": asdict(point)})
        if self.config.keep_last:
            self.write(SNAPSHOT.format(result.steps), {"evaluation": asdict(point)})
            if result.run_dir is not None and self.processes.rank == 0:
                for path in snapshots(result.run_dir)[: -self.config.keep_last]:
                    path.unlink(missing_ok=True)

    def save(self) -> None:
        """Write ``last.safetensors``."""
        self.read_losses()
        result = self.result
        self.collect()
        self.check_weights()
        if result.run_dir is None:
            return
        tensors = moments(self.trained, *self.optimizers)
        if (name := first_not_finite(tensors)) is not None:
            raise FloatingPointError(f"after step {result.steps} {name} is not finite: {REMEDY}")
        if self.carries:
            tensors |= {f"loss.{key}": value for key, value in self.loss.state_dict().items()}
        tensors["losses"] = torch.tensor(result.losses, dtype=torch.float64)
        training = {
            "steps": result.steps,
            "config": self.config.to_dict(),
            "batches_per_update": self.batches_per_update,
            "evaluations": [asdict(point) for point in result.evaluations if point.step <= result.steps],
            "tokens": result.tokens,
            "seconds": result.seconds,
            "update_seconds": result.update_seconds,
            "scaler": self.scaler.state_dict() or None,
        }
        self.write(LAST, training, tensors)

    def write(self, name: str, training: dict[str, Any], tensors: dict[str, Tensor] | None = None) -> None:
        """Write a checkpoint, in the first process of a run that has a folder."""
        if self.result.run_dir is not None and self.processes.rank == 0:
            path, training = self.result.run_dir / name, training | {"notes": self.notes}
            save_checkpoint(path, self.model, tokenizer=self.tokenizer, training=training, tensors=tensors)

    def restore(self, run_dir: Path) -> None:
        """Go on where the run in ``run_dir`` was saved."""
        checkpoint = read_run(run_dir, self.result, self.config, self.batches_per_update)
        check_same_model(checkpoint, self.model)
        checkpoint = last_good(checkpoint, self.result, self.model)
        self.step = self.result.steps
        checkpoint.load_into(self.model)
        if self.trained is not self.model:
            self.processes.scatter(self.model, self.trained)
        if checkpoint.path.name == LAST:
            load_optimizer(checkpoint, self.trained, *self.optimizers)
        if self.carries:
            self.loss.load_state_dict(with_prefix(checkpoint.tensors, "loss."))
        scaler = (checkpoint.training or {}).get("scaler")
        if scaler and self.scaler.is_enabled():
            self.scaler.load_state_dict(scaler)
        if self.result.best is not None or (run_dir / BEST).exists():
            best = load_checkpoint(run_dir / BEST)
            best.check_weights(self.model)
            self.best_weights, point = best.weights, (best.training or {}).get("best")
            # A run that was killed may have evaluated, and found its best, after it was last saved.
            if point is not None and point["step"] > self.result.steps:
                self.result.evaluations.append(Evaluation(**point))

    def check_weights(self) -> None:
        """Refuse to keep weights that are not finite."""
        check_finite(self.model, f"after step {self.result.steps}")

    def collect(self) -> None:
        """Bring ``model`` up to date if a sharded copy is trained in its place."""
        if self.trained is not self.model:
            self.processes.gather(self.trained, self.model)

    def finish(self) -> None:
        """Leave ``model`` with its best weights, in evaluation mode, when the first process has saved."""
        self.collect()
        if self.best_weights is not None:
            with torch.no_grad():
                for key, weight in untied_state(self.model).items():
                    weight.copy_(self.best_weights[key])
        self.model.eval()
        self.processes.first(0.0)

    def log(self, step: int, **values: float) -> None:
        """Add a point to the curve of each name in TensorBoard, if it is asked for."""
        for name, value in values.items():
            if self.board is not None:
                self.board.add_scalar(name, value, step)


def _is_due(step: int, every: int | None) -> bool:
    return every is not None and step % every == 0


def _seed_of_batch(seed: int, number: int) -> int:
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0])
