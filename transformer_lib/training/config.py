"""What a training run is asked to do, checked before it starts."""

import sys
from dataclasses import dataclass

from transformer_lib.linear import MATMULS
from transformer_lib.training.schedules import SCHEDULES, learning_rate_factor
from transformer_lib.validation import ConfigValues, check_flag

__all__ = ["TrainingConfig"]

LARGEST = sys.float_info.max
CHOICES = {
    "schedule": SCHEDULES,
    "precision": ("fp32", "bf16", "fp16"),
    "device": ("auto", "cpu", "cuda", "mps"),
    "sharding": ("none", "fsdp"),
    "matmul": MATMULS,
}


@dataclass(frozen=True)
class TrainingConfig(ConfigValues):
    """How :func:`~transformer_lib.training.train` updates a model, how long, and what it saves on the way.

    Attributes
    ----------
    steps : int
        Updates of the parameters.
    learning_rate : float
        AdamW's peak learning rate, reached after ``warmup_steps``.
    schedule : str
        ``"cosine"``, ``"inverse-sqrt"`` or ``"constant"``; see
        :func:`~transformer_lib.training.learning_rate_factor`.
    warmup_steps : int
        Updates over which the learning rate grows linearly to its peak.
    final_factor : float
        The cosine ends at this share of the peak.
    beta1, beta2 : float
        AdamW's decay of the first and the second moment.
    weight_decay : float
        Decoupled decay of matrices; embeddings and parameters with one dimension are left alone.
    clip_norm : float or None
        The largest norm of the whole gradient; ``None`` leaves it as it is.
    accumulation : int
        Batches whose mean gradient makes one update.
    evaluate_every : int or None
        Steps between evaluations, which also follow the last step; ``None`` evaluates only then.
    checkpoint_every : int or None
        Steps between saves of ``last.safetensors``; ``None`` saves after every evaluation.
    patience : int or None
        Stop after this many evaluations in a row without a new best; ``None`` never stops early.
    precision : str
        ``"fp32"``, or ``"bf16"`` or ``"fp16"`` for mixed precision.
    device : str
        ``"cpu"``, ``"cuda"`` or ``"mps"``; ``"auto"`` takes an accelerator if there is one.
    sharding : str
        ``"fsdp"`` splits weights, gradients and moments among the processes, ``"none"`` gives each all of
        them. In a run of one process both are the same. ``accelerate launch --use_fsdp`` asks for it too.
    matmul : str
        ``"torch"``, or ``"onednn"``: which library computes products of float32 matrices on a CPU; see
        :func:`~transformer_lib.linear.use_matmul`. :func:`~transformer_lib.linear.fastest_matmul`
        measures which is faster, as ``train --set matmul=fastest`` does.
    compile : bool
        Whether ``torch.compile`` makes the updates faster, after a start of about half a minute.
    seed : int
        Of everything random in the updates, such as dropout.
    """

    steps: int = 1000
    learning_rate: float = 1e-3
    schedule: str = "cosine"
    warmup_steps: int = 100
    final_factor: float = 0.0
    beta1: float = 0.9
    beta2: float = 0.95
    weight_decay: float = 0.1
    clip_norm: float | None = 1.0
    accumulation: int = 1
    evaluate_every: int | None = 100
    checkpoint_every: int | None = None
    patience: int | None = None
    precision: str = "fp32"
    device: str = "auto"
    sharding: str = "none"
    matmul: str = "torch"
    compile: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("steps", "accumulation", "evaluate_every", "checkpoint_every", "patience"):
            value = getattr(self, name)
            optional = name in ("evaluate_every", "checkpoint_every", "patience")
            if not (value is None and optional):
                _require(_is_integer(value) and value >= 1, name, value, "an integer of at least 1")
        for name in ("warmup_steps", "seed"):
            value = getattr(self, name)
            _require(_is_integer(value) and value >= 0, name, value, "an integer of at least 0")
        _require(self.seed < 2**64, "seed", self.seed, "below 2**64")
        for name in ("learning_rate", "weight_decay", "clip_norm", "final_factor", "beta1", "beta2"):
            value = getattr(self, name)
            if value is None and name == "clip_norm":
                continue
            _require(_is_number(value), name, value, "a finite number")
        _require(self.learning_rate > 0, "learning_rate", self.learning_rate, "above 0")
        _require(self.weight_decay >= 0, "weight_decay", self.weight_decay, "at least 0")
        _require(0 <= self.final_factor <= 1, "final_factor", self.final_factor, "from 0 to 1")
        for name in ("beta1", "beta2"):
            _require(0 <= getattr(self, name) < 1, name, getattr(self, name), "at least 0 and below 1")
        if self.clip_norm is not None:
            _require(self.clip_norm > 0, "clip_norm", self.clip_norm, "above 0, or None for no clipping")
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            _require(value in allowed, name, value, f"one of {', '.join(allowed)}")
        self._check(check_flag, "compile")

    def learning_rate_at(self, step: int) -> float:
        """The learning rate of update ``step`` = 0, 1, ..., ``steps`` - 1."""
        return self.learning_rate * learning_rate_factor(
            self.schedule,
            step,
            steps=self.steps,
            warmup_steps=self.warmup_steps,
            final_factor=self.final_factor,
        )


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def _require(condition: bool, name: str, value: object, what: str) -> None:
    if not condition:
        raise ValueError(f"{name} must be {what}; got {value!r}")
