"""What a training run is asked to do, checked before it starts."""

from dataclasses import dataclass
from typing import Any

from transformer_lib.checks import (
    ConfigValues,
    check_above_zero,
    check_choice,
    check_flag,
    check_number,
    check_probability,
    check_whole,
)
from transformer_lib.training.schedules import SCHEDULES, learning_rate_factor

__all__ = ["TrainingConfig"]

CHOICES = {
    "optimizer": ("adamw", "muon"),
    "schedule": SCHEDULES,
    "precision": ("fp32", "bf16", "fp16"),
    "device": ("auto", "cpu", "cuda", "mps"),
    "sharding": ("none", "fsdp"),
}


@dataclass(frozen=True)
class TrainingConfig(ConfigValues):
    """How :func:`~transformer_lib.training.train` updates a model, how long, and what it saves on the way.

    Attributes
    ----------
    steps : int
        Updates of the parameters.
    optimizer : str
        ``"adamw"``, or ``"muon"`` for Muon on the matrices of linear maps but the head's, and AdamW on all
        else: fewer steps to the same loss, each of which takes longer.
    learning_rate : float
        The peak learning rate, reached after ``warmup_steps``.
    schedule : str
        ``"cosine"``, ``"inverse-sqrt"`` or ``"constant"``; see
        :func:`~transformer_lib.training.learning_rate_factor`.
    warmup_steps : int
        Updates over which the learning rate grows linearly to its peak.
    final_factor : float
        The cosine ends at this share of the peak.
    beta1, beta2 : float
        AdamW's decay of the first and the second moment.
    eps : float
        What AdamW adds to the root of the second moment; Vaswani et al. (2017) took 1e-9.
    weight_decay : float
        Decoupled decay of the matrices of linear maps; embeddings, tables, biases and gains do not decay.
    clip_norm : float or None
        The largest norm of the whole gradient; ``None`` leaves it as it is.
    accumulation : int
        Batches whose mean gradient makes one update.
    evaluate_every : int or None
        Steps between evaluations, which also follow the last step; ``None`` evaluates only then.
    checkpoint_every : int or None
        Steps between saves of ``last.safetensors``; ``None`` saves after every evaluation.
    keep_last : int
        The weights of so many evaluations, the latest, stay in files of their own, for
        :func:`~transformer_lib.training.average_checkpoints`.
    patience : int or None
        Stop after this many evaluations in a row without a new best; ``None`` never stops early.
    precision : str
        ``"fp32"``, or ``"bf16"`` or ``"fp16"`` for mixed precision.
    device : str
        ``"cpu"``, ``"cuda"`` or ``"mps"``; ``"auto"`` takes an accelerator if there is one.
    sharding : str
        ``"fsdp"`` splits weights, gradients and moments among the processes, ``"none"`` gives each all of
        them. In a run of one process both are the same.
    compile : bool
        Whether ``torch.compile`` makes the updates faster, after a start of about half a minute.
    activation_checkpointing : bool
        Whether a Transformer keeps the inputs of its blocks alone and computes what is inside them again for
        the gradient: much less memory, about a third more time, and the same updates.
    seed : int
        Of everything random in the updates, such as dropout.
    """

    steps: int = 1000
    optimizer: str = "adamw"
    learning_rate: float = 1e-3
    schedule: str = "cosine"
    warmup_steps: int = 100
    final_factor: float = 0.0
    beta1: float = 0.9
    beta2: float = 0.95
    eps: float = 1e-8
    weight_decay: float = 0.1
    clip_norm: float | None = 1.0
    accumulation: int = 1
    evaluate_every: int | None = 100
    checkpoint_every: int | None = None
    keep_last: int = 0
    patience: int | None = None
    precision: str = "fp32"
    device: str = "auto"
    sharding: str = "none"
    compile: bool = False
    activation_checkpointing: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        self._check(check_whole, "steps", "accumulation", "checkpoint_every", "patience", least=1)
        if self.evaluate_every is not None:
            self._check(check_whole, "evaluate_every", least=1)
        self._check(check_whole, "warmup_steps", "keep_last", least=0)
        self._check(check_whole, "seed", least=0, most=2**64 - 1)
        self._check(check_above_zero, "learning_rate", "eps")
        if self.clip_norm is not None:
            self._check(check_above_zero, "clip_norm")
        self._check(check_number, "weight_decay", least=0)
        self._check(check_number, "final_factor", least=0, most=1)
        self._check(check_probability, "beta1", "beta2")
        for name, choices in CHOICES.items():
            self._check(check_choice, name, choices=choices)
        self._check(check_flag, "compile", "activation_checkpointing")
        if (self.precision, self.sharding) == ("fp16", "fsdp"):
            raise ValueError("precision 'fp16' cannot be sharded: use 'bf16', which needs no loss scale")
        if (self.optimizer, self.precision) == ("muon", "fp16"):
            raise ValueError("optimizer 'muon' is not for precision 'fp16': use 'bf16', or 'adamw'")
        if (self.optimizer, self.sharding) == ("muon", "fsdp"):
            raise ValueError("optimizer 'muon' needs whole matrices, so it cannot be sharded: use 'adamw'")

    def for_record(self, *left_out: str) -> dict[str, Any]:
        """The values by name, without those ``left_out``: what the runs of a record have in common.

        AdamW and activations that are kept go without saying, as in records that are older than the choice,
        so that seeds can be added to these.
        """
        values = {name: value for name, value in self.to_dict().items() if name not in left_out}
        unsaid = {"optimizer": "adamw", "activation_checkpointing": False}
        return {name: value for name, value in values.items() if (name, value) not in unsaid.items()}

    def learning_rate_at(self, step: int) -> float:
        """The learning rate of update ``step`` = 0, 1, ..., ``steps`` - 1."""
        return self.learning_rate * learning_rate_factor(
            self.schedule,
            step,
            steps=self.steps,
            warmup_steps=self.warmup_steps,
            final_factor=self.final_factor,
        )
