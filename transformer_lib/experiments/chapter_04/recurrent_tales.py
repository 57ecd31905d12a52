"""Recurrent language models of the tales, beside the n-grams of chapter 1: an experiment of chapter 4.

The models have as many parameters as the Transformer that ends chapter 10, within 2%, and are trained and
scored on the same stories. They read whole stories, each from the state in which nothing has been read, or
windows of the stream of all stories, either each from that state or each from where the last one stopped.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor

from transformer_lib.data import StreamBatches, load_tales, token_stream
from transformer_lib.experiments.chapter_10 import whole_transformer
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.experiments.shared import small_tales
from transformer_lib.recurrent.language_model import LSTM, RNN, RecurrentConfig, RecurrentModel, detach_state

__all__ = [
    "EXPERIMENT",
    "KINDS",
    "READINGS",
    "build",
    "measure",
    "train",
]

KINDS: dict[str, tuple[type[RecurrentModel], dict[str, Any]]] = {
    "RNN": (RNN, {"d_model": 146}),
    "LSTM": (LSTM, {"d_model": 82}),
    "the note's LSTM": (LSTM, {"d_model": 82, "cell_activation": "sigmoid", "bias": False}),
}
"""The models, with their configurations."""

READINGS = ("stories", "windows", "carried")
WINDOW, ROWS = 32, 20
"""Windows of a batch, which then has about as many tokens as a batch of eight stories."""

RATES = (0.01, 0.03, 0.1)


@cache
def stream() -> Int[Tensor, "tokens"]:
    """All stories to train on, an end token behind each."""
    return torch.from_numpy(
        token_stream(whole_transformer.tales().train, whole_transformer.tales().tokenizer)
    )


@cache
def validation() -> Sequence[str]:
    """Stories that are neither trained on nor tested."""
    return load_tales(n_train=100, n_valid=0, n_test=0, seed=1).train


def build(kind: str, generator: torch.Generator) -> RecurrentModel:
    """One of the ``KINDS``, with random weights."""
    words, (model_class, options) = whole_transformer.tales().tokenizer, KINDS[kind]
    config = RecurrentConfig(vocab_size=words.vocab_size, start_token=words.end_token, **options)
    return model_class(config, generator=generator)


def train(
    seed: int, *, kind: str = "LSTM", reading: str = "stories", steps: int = 200, rate: float = 0.01
) -> RecurrentModel:
    """A model after so many steps of Adam, its rate rising for 50 steps and falling to 0 at the end."""
    generator = torch.Generator().manual_seed(seed)
    model = build(kind, generator)
    if reading == "stories":
        whole_transformer.fit(model, generator, steps=steps, rate=rate)
        return model
    batches = StreamBatches(stream().numpy(), ROWS, WINDOW)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 50) * (1 - step / steps)
    )
    state = None
    for step in range(steps):
        if reading == "windows":
            inputs, targets = small_tales.draw(stream(), ROWS, WINDOW, generator)
        else:
            inputs, targets, begins = batches.batch(step)
            state = None if begins or state is None else detach_state(state)
        logits, after = model.logits_and_state(inputs, state)
        small_tales.take_step(optimizer, F.cross_entropy(logits.flatten(0, 1), targets.flatten()))
        state = after if reading == "carried" else None
        schedule.step()
    return model


def measure(
    seed: int, folder: Path | None = None, *, kind: str, reading: str, steps: int, rate: float
) -> dict[str, float]:
    """Nats per token on the test stories and on those that choose the rate, each read from its beginning."""
    model = train(seed, kind=kind, reading=reading, steps=steps, rate=rate)
    return {
        "nats": round(whole_transformer.test_loss(model), 4),
        "valid": round(whole_transformer.test_loss(model, validation()), 4),
        "parameters": model.n_parameters(),
    }


EXPERIMENT = Experiment(
    name="recurrent-tales",
    chapter=4,
    description="RNNs and LSTMs as language models of the tales, reading stories or windows",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        "optimizer": "Adam",
        "schedule": "50 steps of warm-up, linear to 0",
        "batch": 8,
        "window": WINDOW,
    },
    data=lambda: {"name": "tales", "sha256": whole_transformer.tales().sha256},
    conditions=(
        *(
            {"kind": kind, "reading": "stories", "steps": steps, "rate": Tuned(RATES)}
            for steps, kinds in ((200, KINDS), (800, ("RNN", "LSTM")))
            for kind in kinds
        ),
        *(
            {"kind": "LSTM", "reading": reading, "steps": 200, "rate": Tuned(RATES)}
            for reading in READINGS[1:]
        ),
    ),
)
