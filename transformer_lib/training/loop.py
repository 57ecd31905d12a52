"""The training loop: batches in; a trained model, its curve and its checkpoints out.

The loop runs on Hugging Face Accelerate, so that one call trains on a CPU, a GPU or Apple's MPS, in mixed
precision, and on several processes under ``accelerate launch`` or ``torchrun``. An update depends on the
parameters, the optimizer's state and the number of the step alone: batches are read by number, and what is
random in one, such as dropout, is seeded by its number. So a run that was interrupted goes on exactly as if
it had not been, also with another number of processes.
"""

import copy
import math
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from transformer_lib.linear import use_matmul
from transformer_lib.training.board import Board
from transformer_lib.training.checkpoints import (
    BEST,
    LAST,
    check_folder,
    clear_temporaries,
    load_checkpoint,
    save_checkpoint,
    untied_state,
)
from transformer_lib.training.config import TrainingConfig
from transformer_lib.training.interruptions import interruptions
from transformer_lib.training.objectives import Batches, n_targets
from transformer_lib.training.parallel import (
    agree,
    is_sharded,
    send_to_device,
    shard,
    shard_like,
    start_processes,
    whole,
)
from transformer_lib.training.state import (
    Evaluation,
    TrainingResult,
    TrainingState,
    moments,
    parameter_groups,
    restore,
    save,
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
    r"""Minimize ``loss`` with AdamW; leave ``model`` with its best weights, ready to be used.

    Update :math:`s` takes the mean gradient of the batches :math:`sA, \dots, sA + A - 1`, where :math:`A` is
    ``config.accumulation`` times the number of processes, which share them. In that mean, and in the loss
    that is reported, a batch weighs by its number of targets: the entries of its last tensor without those
    of -100, which are padding. Interrupted by Ctrl-C, training ends the step, saves, and raises
    ``KeyboardInterrupt``; a second Ctrl-C does not wait.

    Of several processes each evaluates, the first one's result holds, and the first alone writes files. With
    weights that are sharded, ``model`` is a whole copy, brought up to date to evaluate and to save.

    Parameters
    ----------
    model
        Trained in place; at the end it is in evaluation mode, on the device that was used.
    loss
        ``loss(model, batch)``: the mean over the batch's targets, such as
        :func:`~transformer_lib.training.language_model_loss`. One that carries a state from batch to batch
        has ``state_dict`` and ``load_state_dict``, as :class:`~transformer_lib.training.StreamLoss` does.
    batches
        Whatever has ``batch(i)``, deterministic in ``i``.
    evaluate
        ``evaluate(model)``: a number to be made small. The weights with the lowest are kept as
        ``best.safetensors`` and left in the model; without it the last weights are.
    run_dir
        Folder for ``best.safetensors`` and ``last.safetensors``, made with the first of them.
    resume
        Go on from ``last.safetensors`` in ``run_dir``, with any division of the same :math:`A`; from the
        beginning if a run was stopped when it had only written its first ``best.safetensors``.
    log_dir
        Folder for TensorBoard's logs; ``None`` writes none.
    progress
        Show a bar on standard error.
    tokenizer, notes
        JSON values to be stored in the checkpoints.

    Raises
    ------
    ValueError
        If ``run_dir`` holds a run that is not to be resumed or cannot be written to, the device or precision
        is not available, or a loss that carries a state shares an update.
    ModuleNotFoundError
        If there is a ``log_dir``, but no TensorBoard.
    CheckpointError
        If there is nothing to resume, or what there is does not fit.
    FloatingPointError
        If the loss becomes infinite or NaN.
    """
    run_dir = None if run_dir is None else Path(run_dir)
    if resume and run_dir is None:
        raise ValueError("resume=True needs the run_dir of the run to resume")
    if run_dir is not None and not resume and any((run_dir / name).exists() for name in (BEST, LAST)):
        raise ValueError(f"{run_dir} already holds a run: resume it, or choose another folder")
    if run_dir is not None:
        check_folder(run_dir)

    run = _Run(model, loss, batches, config, run_dir, {"tokenizer": tokenizer, "notes": notes})
    if run_dir is not None and run.accelerator.is_main_process:
        clear_temporaries(run_dir)
    if resume and ((run_dir / LAST).exists() or not (run_dir / BEST).exists()):
        run.restore()
    device, state = run.accelerator.device, run.state
    run.board = Board(log_dir if run.accelerator.is_main_process else None, first_step=state.step)
    is_shown = progress and run.accelerator.is_main_process
    bar = tqdm(total=config.steps, initial=state.step, unit="step", disable=not is_shown)
    forked = [device] if device.type == "cuda" else []
    with (
        bar,
        run.board,
        torch.random.fork_rng(forked),
        use_matmul(config.matmul),
        interruptions(run.accelerator.num_processes == 1) as interrupted,
    ):
        session = time.perf_counter() - state.seconds
        while run.step < config.steps and not state.has_stalled(config.patience):
            run.update()
            bar.update()
            is_last, is_interrupted = run.step == config.steps, interrupted()
            evaluates = is_last or _is_due(run.step, config.evaluate_every)
            if evaluates:
                run.evaluate(evaluate)
            state.seconds = time.perf_counter() - session
            saves = (
                evaluates if config.checkpoint_every is None else _is_due(run.step, config.checkpoint_every)
            )
            if saves or is_last or is_interrupted or state.has_stalled(config.patience):
                run.save()
            if is_interrupted:
                raise KeyboardInterrupt
            if state.losses:
                bar.set_postfix_str(_summary(state), refresh=False)
    run.finish()
    return TrainingResult(
        losses=state.losses,
        evaluations=state.evaluations,
        best=state.best,
        tokens=state.tokens,
        seconds=state.seconds,
        tokens_per_second=state.tokens_per_second,
        stopped_early=state.has_stalled(config.patience),
        device=device,
        run_dir=run_dir,
    )


class _Run:
    """A model, what updates it, and how far it has come."""

    def __init__(
        self,
        model: nn.Module,
        loss: Callable[[Any, Any], Tensor],
        batches: Batches,
        config: TrainingConfig,
        run_dir: Path | None,
        extras: dict[str, Mapping[str, Any] | None],
    ) -> None:
        self.model, self.batches, self.config = model, batches, config
        self.run_dir, self.extras = run_dir, extras
        self.state = TrainingState()
        self.board = Board(None)
        self.best_weights: dict[str, Tensor] | None = None
        self.unread: list[tuple[Tensor, Tensor]] = []
        self.accelerator = start_processes(config)
        self.batches_per_update = config.accumulation * self.accelerator.num_processes
        self.carries = hasattr(loss, "state_dict")
        if self.carries and self.batches_per_update > 1:
            raise ValueError(
                "a loss that carries a state takes one batch an update, in one process; got "
                f"{config.accumulation} batches and {self.accelerator.num_processes} processes"
            )
        self.is_sharded = is_sharded(config, self.accelerator.num_processes)
        self.trained = copy.deepcopy(model) if self.is_sharded else model
        objective = _Objective(self.trained, loss)
        if self.is_sharded:
            model.to(self.accelerator.device)
            shard(objective.to(self.accelerator.device))
        self.adamw = torch.optim.AdamW(
            parameter_groups(self.trained, config.weight_decay),
            lr=config.learning_rate,
            betas=(config.beta1, config.beta2),
            fused=True,
        )
        if self.is_sharded:
            self.objective, self.optimizer = objective, self.accelerator.prepare(self.adamw)
        else:
            self.objective, self.optimizer = self.accelerator.prepare(objective, self.adamw)
        self.objective.train()
        self.forward = torch.compile(self.objective) if config.compile else self.objective

    @property
    def step(self) -> int:
        """Updates made, those whose loss is still on the device included."""
        return self.state.step + len(self.unread)

    def restore(self) -> None:
        self.state, scaler, carried = restore(
            self.run_dir, self.model, self.trained, self.adamw, self.config, self.batches_per_update
        )
        if self.carries:
            self.objective.loss.load_state_dict(carried)
        if self.is_sharded:
            whole_weights = self.model.state_dict()
            for name, weight in self.trained.state_dict().items():
                weight.copy_(shard_like(whole_weights[name], weight))
        if scaler is not None and self.accelerator.scaler is not None:
            self.accelerator.scaler.load_state_dict(scaler)
        if self.state.best is not None:
            self.best_weights = load_checkpoint(self.run_dir / BEST).weights

    def update(self) -> None:
        """One step of AdamW on the mean gradient of its batches."""
        begun = time.perf_counter()
        config, accelerator, step = self.config, self.accelerator, self.step
        rank, n_processes = accelerator.process_index, accelerator.num_processes
        first = step * self.batches_per_update + rank
        numbers = range(first, first + self.batches_per_update, n_processes)
        batches = [self.batches.batch(number) for number in numbers]
        counts = [n_targets(batch) for batch in batches]
        total = torch.tensor(sum(counts))
        if n_processes > 1:
            total = accelerator.reduce(total.to(accelerator.device), reduction="sum")
        mean_loss = torch.zeros((), device=accelerator.device)
        for number, batch, count in zip(numbers, batches, counts, strict=True):
            torch.manual_seed(_seed_of_batch(config.seed, number))
            with self._syncing(number == numbers[-1]), accelerator.autocast():
                loss = self.forward(send_to_device(batch, accelerator.device))
            share = count * n_processes / total.clamp(min=1).double()
            loss = loss * share.to(loss.dtype)
            accelerator.backward(loss)
            mean_loss = mean_loss + loss.detach()
        if config.clip_norm is not None:
            accelerator.clip_grad_norm_(self.objective.parameters(), config.clip_norm)
        for group in self.adamw.param_groups:
            group["lr"] = config.learning_rate_at(step)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.unread.append((mean_loss, total))
        if len(self.unread) == STEPS_BETWEEN_READINGS:
            self.read_losses()
        self.state.update_seconds += time.perf_counter() - begun

    def read_losses(self) -> None:
        """Fetch the losses from the device, which waits for it."""
        if not self.unread:
            return
        losses, totals = zip(*self.unread, strict=True)
        values = self.accelerator.reduce(torch.stack(losses), reduction="mean").tolist()
        for step, value in enumerate(values, start=self.state.step):
            if not math.isfinite(value):
                raise FloatingPointError(
                    f"the loss of step {step} is {value}: lower learning_rate, or raise warmup_steps"
                )
            self.board.write(step + 1, training_loss=value, learning_rate=self.config.learning_rate_at(step))
        self.state.losses += values
        self.state.tokens += sum(int(total) for total in totals)
        self.unread.clear()

    def evaluate(self, evaluate: Callable[[Any], float] | None) -> None:
        """Add a point to the curve; keep the weights if they are the best so far."""
        self.read_losses()
        state = self.state
        since = state.evaluations[-1].step if state.evaluations else 0
        training_loss = math.fsum(state.losses[since:]) / (state.step - since)
        if evaluate is None:
            state.evaluations.append(Evaluation(state.step, training_loss, None))
            return
        self.collect()
        self.model.eval()
        with torch.no_grad():
            value = agree(float(evaluate(self.model)))
        self.model.train()
        if not math.isfinite(value):
            raise FloatingPointError(f"the evaluation after step {state.step} gave {value}")
        self.board.write(state.step, validation_loss=value)
        point = Evaluation(state.step, training_loss, value)
        state.evaluations.append(point)
        if point is state.best:
            self.best_weights = {
                key: weight.detach().clone() for key, weight in untied_state(self.model).items()
            }
            if self.run_dir is not None and self.accelerator.is_main_process:
                training = {"best": asdict(point), "notes": self.extras["notes"]}
                save_checkpoint(
                    self.run_dir / BEST, self.model, tokenizer=self.extras["tokenizer"], training=training
                )

    def save(self) -> None:
        self.read_losses()
        if self.run_dir is None:
            return
        self.collect()
        tensors = moments(self.trained, self.adamw)
        if self.carries:
            tensors |= {f"loss.{key}": value for key, value in self.objective.loss.state_dict().items()}
        if self.accelerator.is_main_process:
            scaler = self.accelerator.scaler and self.accelerator.scaler.state_dict()
            save(
                self.run_dir,
                self.model,
                tensors,
                self.config,
                self.state,
                batches_per_update=self.batches_per_update,
                scaler=scaler,
                **self.extras,
            )

    def collect(self) -> None:
        """Bring ``model`` up to date if another is trained in its place."""
        if self.is_sharded:
            targets = self.model.state_dict()
            for name, weight in self.trained.state_dict().items():
                targets[name].copy_(whole(weight))

    def finish(self) -> None:
        self.collect()
        if self.best_weights is not None:
            with torch.no_grad():
                for key, weight in untied_state(self.model).items():
                    weight.copy_(self.best_weights[key])
        self.model.eval()
        self.accelerator.wait_for_everyone()

    def _syncing(self, is_last: bool) -> AbstractContextManager[None]:
        """Gradients are averaged among the processes after the last batch of an update only."""
        if self.is_sharded:
            self.objective.set_requires_gradient_sync(is_last)
            return nullcontext()
        return nullcontext() if is_last else self.accelerator.no_sync(self.objective)


class _Objective(nn.Module):
    """The loss as a module, since only a module's call is cast and shared among processes."""

    def __init__(self, model: nn.Module, loss: Callable[[Any, Any], Tensor]) -> None:
        super().__init__()
        self.model, self.loss = model, loss

    def forward(self, batch: Any) -> Tensor:
        return self.loss(self.model, batch)


def _is_due(step: int, every: int | None) -> bool:
    return every is not None and step % every == 0


def _seed_of_batch(seed: int, number: int) -> int:
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0])


def _summary(state: TrainingState) -> str:
    recent = state.losses[-STEPS_BETWEEN_READINGS:]
    text = f"loss {math.fsum(recent) / len(recent):.3f}"
    if state.best is not None:
        text += f", best validation {state.best.validation_loss:.3f}"
    return f"{text}, {state.tokens_per_second:,.0f} tokens/s"
