"""LSTMs without some of their parts, as language models of the tales: chapter 16.

Each reads whole stories, as in chapter 4, until its validation loss has not fallen for ``PATIENCE`` steps. At
the weights of the least validation loss it is scored, and its gates are measured on stories that it has not
seen: how open they are, and how often an earlier word weighs more than the one after it.
"""

import copy
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.chapter_04 import hero_recall
from transformer_lib.experiments.chapter_10 import whole_transformer
from transformer_lib.experiments.chapter_16.ablated_recall import (
    FORGET_BIAS,
    FORMS,
    NO_GATES,
    recurrent_layers,
    zero_state,
)
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.initialization import embedding, projection
from transformer_lib.recurrent.ablations import PartialLSTMLayer
from transformer_lib.recurrent.cells import LSTMState, memory_weights

__all__ = ["EXPERIMENT", "StoryReader", "gate_facts", "measure", "train"]

WIDTH, BATCH, CLIP = 128, 16, 1.0
STEPS, CHECK, PATIENCE = 16_000, 250, 3000
RATES, NO_GATES_RATES = (0.001, 0.003, 0.01), (0.0002, 0.0005, 0.001)
TRACED = 50
"""How many unseen stories the gates are measured on."""


class StoryReader(nn.Module):
    """A language model with one of the ``FORMS`` of chapter 16, or a plain network."""

    def __init__(self, form: str, generator: torch.Generator, width: int = WIDTH) -> None:
        super().__init__()
        n_words = whole_transformer.tales().tokenizer.vocab_size
        self.words = embedding(n_words, width, std=1.0, generator=generator)
        self.layers = recurrent_layers(form, width, generator)
        self.head = projection(width, n_words, generator=generator)

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each."""
        x = self.words(tokens)
        for layer in self.layers:
            x, _ = layer(x, zero_state(layer, x))
        return self.head(x)

    def gates(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch time width"], Float[Tensor, "batch time width"]]:
        """The input and forget gates of the first layer at each token."""
        x, layer = self.words(tokens), self.layers[0]
        assert isinstance(layer, PartialLSTMLayer)
        trace = layer.trace(x, LSTMState(*zero_state(layer, x)))
        return trace.input_gate, trace.forget_gate

    def n_parameters(self) -> int:
        """How many parameters are not taken away."""
        outside = [*self.words.parameters(), *self.head.parameters()]
        inside = [
            layer.n_parameters()
            if isinstance(layer, PartialLSTMLayer)
            else sum(p.numel() for p in layer.parameters())
            for layer in self.layers
        ]
        return sum(p.numel() for p in outside) + sum(inside)


@torch.no_grad()
def gate_facts(model: StoryReader) -> dict[str, float]:
    """How open the forget gates are, and what the weights over the past do, on unseen stories.

    ``rising`` is the share of pairs of neighboring words, the later one read before, of which the earlier one
    has the larger weight. ``ever over 0.99`` is the share of cells whose forget gate is so open at some word,
    ``mean over 0.99`` of those where it is on average; ``left after 15`` and ``left after 50`` are means of
    the product of so many forget gates.
    """
    inputs, targets = hero_recall.unseen()
    rising, gates = [], []
    left: dict[int, list[Tensor]] = {15: [], 50: []}
    for row, target in zip(inputs[:TRACED], targets[:TRACED]):
        length = int((target != whole_transformer.NOT_SCORED).sum())
        enter, forget = model.gates(row[None, :length])
        w = memory_weights(enter, forget)[0]
        before = torch.ones(length, length - 1, dtype=torch.bool).tril(-1)
        rising.append((w[:, :-1] > w[:, 1:])[before].double().mean())
        gates.append(forget[0])
        product = forget[0].log().cumsum(0)
        for n, kept in left.items():
            if length > n:
                kept.append((product[n:] - product[:-n]).exp().mean())
    whole = torch.cat(gates)
    found = {
        "rising": torch.stack(rising).mean(),
        "forget median": whole.median(),
        "ever over 0.99": (whole.amax(0) > 0.99).double().mean(),
        "mean over 0.99": (whole.mean(0) > 0.99).double().mean(),
        **{f"left after {n}": torch.stack(kept).mean() for n, kept in left.items()},
    }
    return {name: round(float(value), 4) for name, value in found.items()}


def train(
    seed: int, *, form: str, rate: float, steps: int = STEPS, check: int = CHECK, patience: int = PATIENCE
) -> tuple[StoryReader, list[dict[str, float | int]]]:
    """Train by Adam at a constant rate after 50 steps of warm-up; the model at its best, and its curve."""
    generator = torch.Generator().manual_seed(seed)
    model = StoryReader(form, generator)
    inputs, targets = whole_transformer.read(whole_transformer.tales().train)
    lengths = (targets != whole_transformer.NOT_SCORED).sum(1)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 50))
    curve: list[dict[str, float | int]] = []
    best = copy.deepcopy(model.state_dict())
    for step in range(1, steps + 1):
        some = torch.randint(len(inputs), (BATCH,), generator=generator)
        longest = int(lengths[some].max())
        logits, target = model(inputs[some, :longest]).flatten(0, 1), targets[some, :longest].flatten()
        optimizer.zero_grad()
        F.cross_entropy(logits, target, ignore_index=whole_transformer.NOT_SCORED).backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        schedule.step()
        if step % check == 0:
            valid = whole_transformer.test_loss(model, whole_transformer.validation())
            curve.append({"step": step, "valid": round(valid, 4)})
            least = min(curve, key=lambda point: point["valid"])
            if least is curve[-1]:
                best = copy.deepcopy(model.state_dict())
            if step - least["step"] >= patience:
                break
    model.load_state_dict(best)
    return model, curve


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    form: str,
    rate: float,
    steps: int = STEPS,
    check: int = CHECK,
    patience: int = PATIENCE,
) -> dict[str, Any]:
    """Losses, names that are right, and facts about the gates, at the best weights."""
    model, curve = train(seed, form=form, rate=rate, steps=steps, check=check, patience=patience)
    best = min(curve, key=lambda point: point["valid"])
    scored = hero_recall.score(model)
    return {
        "nats": round(whole_transformer.test_loss(model), 4),
        "valid": best["valid"],
        "best_step": best["step"],
        "steps": curve[-1]["step"],
        "near": scored["near"],
        "far": scored["far"],
        "parameters": model.n_parameters(),
        **({} if form == NO_GATES else gate_facts(model)),
        "curve": curve,
    }


EXPERIMENT = Experiment(
    name="ablated-tales",
    chapter=16,
    description="LSTMs without some of their parts as language models, trained until they stop improving",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "optimizer": "Adam",
        "schedule": "50 steps of warm-up",
        "batch": BATCH,
        "steps": STEPS,
        "patience": PATIENCE,
        "clip": CLIP,
        "width": WIDTH,
        "forget_bias": FORGET_BIAS,
    },
    data=lambda: {"name": "tales", "sha256": whole_transformer.tales().sha256},
    conditions=tuple(
        {"form": form, "rate": Tuned(NO_GATES_RATES if form == NO_GATES else RATES)}
        for form in (*FORMS, NO_GATES)
    ),
)
