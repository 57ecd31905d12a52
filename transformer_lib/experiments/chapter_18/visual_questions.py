"""Questions about pictures, answered with both in sight, from the picture alone and from the question alone.

The model reads the question, lets its words look at the picture's patches, and answers with one word. What
knows only half guesses as well as that half allows: so much of its answers is not seeing.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.data import SymbolTokenizer, VisualQuestions, WordTokenizer, load_visual_questions
from transformer_lib.data.visual import CELL
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.vision import CrossModalClassifier

__all__ = [
    "EXPERIMENT",
    "RATES",
    "SEES",
    "Encoded",
    "build",
    "encoded",
    "fit",
    "hidden",
    "measure",
    "questions",
]

SEES = ("both", "picture", "question")
RATES = (0.001, 0.003)
STEPS = (500, 1000, 2000, 3000)
ROWS, COLUMNS = 2, 3
N_TRAIN, N_HELD_OUT, BATCH = 20_000, 1000, 64
SEEDS = {"train": 0, "valid": 1, "test": 2}


class Encoded(NamedTuple):
    """Pictures, questions and answers as tensors."""

    images: Float[Tensor, "n height width"]
    questions: Int[Tensor, "n time"]
    lengths: Int[Tensor, "n"]
    answers: Int[Tensor, "n"]

    def rows(self, which: Tensor) -> "Encoded":
        """Some of the examples."""
        return Encoded(*(part[which] for part in self))


@cache
def questions(part: str) -> VisualQuestions:
    """The pictures and questions of a part."""
    n = N_TRAIN if part == "train" else N_HELD_OUT
    return load_visual_questions(n, rows=ROWS, columns=COLUMNS, seed=SEEDS[part])


def encoded(data: VisualQuestions, tokenizer: SymbolTokenizer) -> Encoded:
    """The data as the model reads them."""
    rows = [torch.tensor(tokenizer.encode(question)) for question in data.questions]
    return Encoded(
        torch.from_numpy(data.images).float(),
        torch.nn.utils.rnn.pad_sequence(rows, batch_first=True),
        torch.tensor([len(row) for row in rows]),
        torch.tensor([data.answer_words.index(answer) for answer in data.answers]),
    )


def hidden(batch: Encoded, sees: str) -> Encoded:
    """The batch with a blank picture, or with one and the same word as every question."""
    if sees == "question":
        return batch._replace(images=torch.zeros_like(batch.images))
    if sees == "picture":
        word = torch.ones_like(batch.questions[:, :1])
        return batch._replace(questions=word, lengths=torch.ones_like(batch.lengths))
    return batch


def build(tokenizer: SymbolTokenizer, n_answers: int, seed: int) -> CrossModalClassifier:
    """A fresh model of two blocks in each of its three stacks; a patch is a cell of the picture."""
    config = TransformerConfig(tokenizer.vocab_size, 8, d_model=64, n_heads=4, n_layers=2)
    generator = torch.Generator().manual_seed(seed)
    sizes = {"height": CELL * ROWS, "width": CELL * COLUMNS, "patch_size": CELL}
    return CrossModalClassifier(config, n_answers, **sizes, generator=generator)


def fit(
    model: CrossModalClassifier, train: Encoded, *, rate: float, steps: int, seed: int, sees: str = "both"
) -> Iterator[int]:
    """Train by Adam at a constant rate; yields the number of steps after each."""
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    for step in range(1, steps + 1):
        which = torch.randint(len(train.answers), (BATCH,), generator=generator)
        batch = hidden(train.rows(which), sees)
        optimizer.zero_grad()
        F.cross_entropy(model(batch.images, batch.questions, batch.lengths), batch.answers).backward()
        optimizer.step()
        yield step


@torch.no_grad()
def right(model: nn.Module, data: VisualQuestions, batch: Encoded) -> dict[str, float]:
    """The share of right answers in percent, of all questions and of either kind."""
    guesses = model(batch.images, batch.questions, batch.lengths).argmax(dim=1)
    good = (guesses == batch.answers).double()
    counts = torch.tensor([question.startswith("how many") for question in data.questions])
    parts = {"right": good, "counting": good[counts], "neighbors": good[~counts]}
    return {name: round(100 * part.mean().item(), 3) for name, part in parts.items()}


def measure(seed: int, folder: Path | None = None, *, sees: str, rate: float) -> dict[str, Any]:
    """Test answers at the step of most right validation answers; ``valid`` is the share of wrong ones."""
    train = questions("train")
    tokenizer = WordTokenizer.fit(train.questions)
    parts = {part: encoded(questions(part), tokenizer) for part in SEEDS}
    model = build(tokenizer, len(train.answer_words), seed)
    curve: list[dict[str, Any]] = []
    for step in fit(model, parts["train"], rate=rate, steps=STEPS[-1], seed=seed, sees=sees):
        if step in STEPS:
            valid, test = (
                right(model, questions(part), hidden(parts[part], sees)) for part in ("valid", "test")
            )
            curve.append({"step": step, "valid": valid["right"], **test})
    best = max(curve, key=lambda one: one["valid"])
    return best | {"valid": round(100 - best["valid"], 3), "curve": curve}


EXPERIMENT = Experiment(
    name="visual-questions",
    chapter=18,
    description="questions about pictures by cross-attention, beside a model without either half",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "optimizer": "Adam",
        "batch": BATCH,
        "steps": list(STEPS),
        "train": N_TRAIN,
        "d_model": 64,
        "n_layers": 2,
        "cells": [ROWS, COLUMNS],
    },
    data=lambda: {"pictures": f"drawn from the seeds {SEEDS}, {N_HELD_OUT:,} held out in each part"},
    conditions=tuple({"sees": sees, "rate": rate} for sees in SEES for rate in RATES),
)
