"""What a training step takes, and what precision, checkpoints and compilation change: chapter 15.

The same steps of one language model are timed in turns, so that the ratios are of one machine and one hour.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from transformer_lib.experiments.chapter_15.accounting import (
    checkpointed_blocks,
    draw_tokens,
    forward_flops,
    training_flops,
)
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.running.timing import take_turns, threads_of
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

__all__ = ["EXPERIMENT", "LENGTHS", "SHAPE", "TOKENS", "config_of", "measure"]

SHAPE: dict[str, Any] = {"vocab_size": 1024, "d_model": 256, "n_heads": 8, "n_layers": 4}
LENGTHS = (64, 1024)
TOKENS = 1024
REPEATS = 5


def config_of(length: int, **shape: Any) -> TransformerConfig:
    """The model that is timed, with room for texts of this length."""
    return TransformerConfig(context_length=length, **(SHAPE | shape))


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    length: int,
    tokens: int = TOKENS,
    repeats: int = REPEATS,
    compiles: bool = True,
    **shape: Any,
) -> dict[str, float]:
    """Milliseconds per run, medians of rounds in which they take turns, and billions of operations of two."""
    config = config_of(length, **shape)
    model = DecoderLM(config, generator=torch.Generator().manual_seed(seed))
    text = draw_tokens(config.vocab_size, tokens // length, length)

    def loss() -> Tensor:
        return F.cross_entropy(model(text).flatten(0, 1), text.flatten())

    def forward() -> None:
        with torch.no_grad():
            loss()

    def step(computed: Callable[[], Tensor], context: Callable[[], AbstractContextManager[Any]]) -> None:
        model.zero_grad()
        with context():
            value = computed()
        value.backward()

    runs: dict[str, Callable[[], None]] = {
        "forward": forward,
        "step": partial(step, loss, nullcontext),
        "step, checkpointed": partial(step, loss, partial(checkpointed_blocks, model)),
        "step, bf16": partial(step, loss, partial(torch.autocast, "cpu", torch.bfloat16)),
    }
    if compiles:
        runs["step, compiled"] = partial(step, torch.compile(loss), nullcontext)
    with threads_of(1):
        seconds = take_turns({name: partial(_ready, run) for name, run in runs.items()}, repeats, seed)
    texts = tokens // length
    return {name: round(1000 * taken, 2) for name, taken in seconds.items()} | {
        "forward, operations": texts * sum(forward_flops(config, length).values()) / 1e9,
        "step, operations": texts * training_flops(config, length) / 1e9,
    }


def _ready(run: Callable[[], None]) -> Callable[[], None]:
    """What needs no preparation."""
    return run


EXPERIMENT = Experiment(
    name="step-times",
    is_timed=True,
    chapter=15,
    description="a training step: forward, backward, checkpointed, in bf16 and compiled",
    measure=measure,
    seeds=(0, 1, 2),
    config={**SHAPE, "tokens": TOKENS, "repeats": REPEATS, "threads": 1},
    data=lambda: {"name": "random tokens", "vocab_size": SHAPE["vocab_size"]},
    conditions=tuple({"length": length} for length in LENGTHS),
)
