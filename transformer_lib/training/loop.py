"""The training loop: batches in; a trained model, its curve and its checkpoints out.

The loop runs on Hugging Face Accelerate, so that one call trains on a CPU, a GPU or Apple's MPS, in mixed
precision, and on several processes under ``accelerate launch`` or ``torchrun``. An update depends on the
parameters, the optimizer's state and the number of the step alone: batches are read by number, and what is
random in a step, such as dropout, is seeded by its number. So a run that was interrupted goes on exactly as
if it had not been.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState, GradientState
from accelerate.utils import broadcast_object_list, send_to_device
from torch import Tensor, nn
from tqdm import tqdm

from transformer_lib.training.checkpoints import (
    BEST,
    LAST,
    check_folder,
    load_checkpoint,
    save_checkpoint,
    untied_state,
)
from transformer_lib.training.config import TrainingConfig
from transformer_lib.training.objectives import Batches
from transformer_lib.training.state import (
    Evaluation,
    TrainingResult,
    TrainingState,
    parameter_groups,
    restore,
    save,
)

__all__ = ["available_device", "train"]

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
    progress: bool = True,
    tokenizer: Mapping[str, Any] | None = None,
    notes: Mapping[str, Any] | None = None,
) -> TrainingResult:
    r"""Minimize ``loss`` with AdamW; leave ``model`` with its best weights, ready to be used.

    Update :math:`s` takes the mean gradient of the batches :math:`sA, \dots, sA + A - 1`, where :math:`A` is
    ``config.accumulation`` times the number of processes, which share them. Interrupted by Ctrl-C, training
    ends the step, saves, and raises ``KeyboardInterrupt``; a second Ctrl-C does not wait.

    Parameters
    ----------
    model
        Trained in place; at the end it is in evaluation mode, on the device that was used.
    loss
        ``loss(model, batch)``: a scalar, such as :func:`~transformer_lib.training.language_model_loss`.
    batches
        Whatever has ``batch(i)``, deterministic in ``i``.
    evaluate
        ``evaluate(model)``: a number to be made small. The weights with the lowest are kept as
        ``best.safetensors`` and left in the model; without it the last weights are.
    run_dir
        Folder for ``best.safetensors`` and ``last.safetensors``, made with the first of them.
    resume
        Go on from ``last.safetensors`` in ``run_dir``.
    progress
        Show a bar on standard error.
    tokenizer, notes
        JSON values to be stored in the checkpoints.

    Raises
    ------
    ValueError
        If ``run_dir`` holds a run that is not to be resumed or cannot be written to, or the device or
        precision is not available.
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
    if resume:
        run.restore()
    device, state = run.accelerator.device, run.state
    is_shown = progress and run.accelerator.is_main_process
    bar = tqdm(total=config.steps, initial=state.step, unit="step", disable=not is_shown)
    forked = [device] if device.type == "cuda" else []
    with (
        bar,
        torch.random.fork_rng(forked),
        _interruptions(run.accelerator.num_processes == 1) as interrupted,
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
        self.best_weights: dict[str, Tensor] | None = None
        self.unread: list[Tensor] = []
        self.accelerator = _accelerator(config)
        self.adamw = torch.optim.AdamW(
            parameter_groups(model, config.weight_decay),
            lr=config.learning_rate,
            betas=(config.beta1, config.beta2),
            fused=True,
        )
        self.objective, self.optimizer = self.accelerator.prepare(_Objective(model, loss), self.adamw)
        self.objective.train()

    @property
    def step(self) -> int:
        """Updates made, those whose loss is still on the device included."""
        return self.state.step + len(self.unread)

    def restore(self) -> None:
        self.state, scaler = restore(self.run_dir, self.model, self.adamw, self.config)
        if scaler is not None and self.accelerator.scaler is not None:
            self.accelerator.scaler.load_state_dict(scaler)
        if self.state.best is not None:
            self.best_weights = load_checkpoint(self.run_dir / BEST).weights

    def update(self) -> None:
        """One step of AdamW on the mean gradient of its batches."""
        begun = time.perf_counter()
        config, accelerator, step = self.config, self.accelerator, self.step
        rank, n_processes = accelerator.process_index, accelerator.num_processes
        seeds = np.random.SeedSequence([config.seed, step, rank])
        torch.manual_seed(int(seeds.generate_state(1, np.uint64)[0]))
        losses = []
        for part in range(config.accumulation):
            batch = self.batches.batch((step * config.accumulation + part) * n_processes + rank)
            self.state.tokens += _n_tokens(batch) * n_processes
            is_last = part == config.accumulation - 1
            with nullcontext() if is_last else accelerator.no_sync(self.objective):
                loss = self.objective(send_to_device(batch, accelerator.device))
                accelerator.backward(loss / config.accumulation)
            losses.append(loss.detach())
        if config.clip_norm is not None:
            accelerator.clip_grad_norm_(self.model.parameters(), config.clip_norm)
        for group in self.adamw.param_groups:
            group["lr"] = config.learning_rate_at(step)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.unread.append(torch.stack(losses).mean())
        if len(self.unread) == STEPS_BETWEEN_READINGS:
            self.read_losses()
        self.state.update_seconds += time.perf_counter() - begun

    def read_losses(self) -> None:
        """Fetch the losses from the device, which waits for it."""
        if not self.unread:
            return
        values = self.accelerator.reduce(torch.stack(self.unread), reduction="mean").tolist()
        for step, value in enumerate(values, start=self.state.step):
            if not math.isfinite(value):
                raise FloatingPointError(
                    f"the loss of step {step} is {value}: lower learning_rate, or raise warmup_steps"
                )
        self.state.losses += values
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
        self.model.eval()
        with torch.no_grad():
            value = broadcast_object_list([float(evaluate(self.model))])[0]
        self.model.train()
        if not math.isfinite(value):
            raise FloatingPointError(f"the evaluation after step {state.step} gave {value}")
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
        if self.run_dir is not None and self.accelerator.is_main_process:
            scaler = self.accelerator.scaler and self.accelerator.scaler.state_dict()
            save(self.run_dir, self.model, self.adamw, self.config, self.state, scaler=scaler, **self.extras)

    def finish(self) -> None:
        if self.best_weights is not None:
            with torch.no_grad():
                for key, weight in untied_state(self.model).items():
                    weight.copy_(self.best_weights[key])
        self.model.eval()
        self.accelerator.wait_for_everyone()


class _Objective(nn.Module):
    """The loss as a module, since only a module's call is cast and shared among processes."""

    def __init__(self, model: nn.Module, loss: Callable[[Any, Any], Tensor]) -> None:
        super().__init__()
        self.model, self.loss = model, loss

    def forward(self, batch: Any) -> Tensor:
        return self.loss(self.model, batch)


def available_device(config: TrainingConfig) -> str:
    """The device of a run: ``config.device``, or what ``"auto"`` stands for here.

    Raises
    ------
    ValueError
        If there is no such device here, or it cannot compute in ``config.precision``.
    """
    has = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not has.get(config.device, True):
        found = ", ".join(["cpu", *(name for name, is_there in has.items() if is_there)])
        raise ValueError(f"device {config.device!r} is not available here; there is: {found}")
    device = config.device if config.device != "auto" else next((name for name in has if has[name]), "cpu")
    if config.precision == "fp16" and device == "cpu":
        raise ValueError("precision 'fp16' needs a GPU; on a CPU use 'bf16' or 'fp32'")
    return device


def _accelerator(config: TrainingConfig) -> Accelerator:
    device = available_device(config)
    if not torch.distributed.is_initialized():
        # Accelerate keeps the device and precision of a process's first run; another run may want others.
        AcceleratorState._reset_state(reset_partial_state=True)
        GradientState._reset_state()
    precision = "no" if config.precision == "fp32" else config.precision
    return Accelerator(cpu=device == "cpu", mixed_precision=precision)


@contextmanager
def _interruptions(is_heeded: bool) -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed: the first time it is only noted, so that a step can end."""
    can_handle = threading.current_thread() is threading.main_thread()
    previous = signal.getsignal(signal.SIGINT)
    if not (is_heeded and can_handle and previous is signal.default_int_handler):
        yield lambda: False
        return
    noted = threading.Event()

    def note(*_: object) -> None:
        noted.set()
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted.is_set
    finally:
        signal.signal(signal.SIGINT, previous)


def _is_due(step: int, every: int | None) -> bool:
    return every is not None and step % every == 0


def _n_tokens(batch: Any) -> int:
    return (batch if isinstance(batch, Tensor) else batch[-1]).numel()


def _summary(state: TrainingState) -> str:
    recent = state.losses[-STEPS_BETWEEN_READINGS:]
    text = f"loss {math.fsum(recent) / len(recent):.3f}"
    if state.best is not None:
        text += f", best validation {state.best.validation_loss:.3f}"
    return f"{text}, {state.tokens_per_second:,.0f} tokens/s"
