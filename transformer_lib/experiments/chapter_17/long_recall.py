"""From how far back can a model fetch the hero's name, in stories three and ten times as long? Chapter 17.

All attention networks have the same parameters and the same distances; they differ in how many words a query
sees, in whether a text is cut, and in whether gradients cross the cuts. Every model takes steps on about as
many tokens, in whole stories, until its validation loss has not fallen for ``PATIENCE`` steps.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.chapter_04.hero_recall import StoryReader
from transformer_lib.experiments.chapter_17 import long_stories
from transformer_lib.experiments.chapter_17.long_stories import NOT_SCORED, Recall, words
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig

__all__ = ["EXPERIMENT", "MODELS", "Reader", "build", "foreseen", "kept", "measure", "train"]

WINDOW, WHOLE = 96, 1024
SHAPE = {"d_model": 64, "n_heads": 4, "n_layers": 3, "norm": "pre", "activation": "gelu"}
TOKENS, STEPS, CHECK, PATIENCE, CLIP = 2304, 8000, 250, 1500, 1.0
N_TRAIN, N_VALID, N_TEST, N_KEPT = 2000, 40, 200, 50
KEPT = (16, 32, 64, 128, 256, 512, 1024)
"""How many of the latest words are kept where the others are exchanged."""


@dataclass(frozen=True)
class Reader:
    """How a model reads a story.

    Attributes
    ----------
    memory : int
        How many words before its own a query sees; 0 for a recurrent network.
    segment : int
        In pieces of how many words a story is read in training; 0 for one piece.
    carries : bool
        Whether a piece sees what was read before, without its gradients.
    """

    memory: int = 0
    segment: int = 0
    carries: bool = True


MODELS = {
    "RNN": Reader(),
    "LSTM": Reader(),
    "Transformer, 96 words": Reader(WINDOW, WINDOW, carries=False),
    "sliding window": Reader(WINDOW),
    "Transformer-XL": Reader(WINDOW, WINDOW),
    "whole story": Reader(WHOLE),
}
RATES = {"RNN": (0.0001, 0.0002, 0.0005), "LSTM": (0.003, 0.005, 0.01)}
RECURRENT = {"RNN": "RNN, identity", "LSTM": "LSTM, bias 4"}


def build(model: str, generator: torch.Generator) -> nn.Module:
    """A model with random weights; recurrent ones start as those that did best in chapter 4."""
    if model in RECURRENT:
        return StoryReader(RECURRENT[model], generator)
    vocabulary = words()
    sizes: dict[str, Any] = {"vocab_size": vocabulary.vocab_size, **SHAPE}
    config = TransformerXLConfig(
        memory_length=MODELS[model].memory, start_token=vocabulary.end_token, **sizes
    )
    return TransformerXL(config, generator=generator)


def take_gradients(
    network: Any,
    reader: Reader,
    inputs: Int[Tensor, "stories time"],
    targets: Int[Tensor, "stories time"],
) -> None:
    """Add the gradients of the mean loss per token, piece by piece."""
    n, state = (targets != NOT_SCORED).sum(), None
    length = reader.segment or inputs.shape[1]
    for begin in range(0, inputs.shape[1], length):
        piece, answers = inputs[:, begin : begin + length], targets[:, begin : begin + length]
        if reader.memory:
            logits, after = network.logits_and_state(piece, state)
            state = after if reader.carries else None
        else:
            logits = network(piece)
        loss = F.cross_entropy(
            logits.flatten(0, 1), answers.flatten(), ignore_index=NOT_SCORED, reduction="sum"
        )
        (loss / n).backward()


@torch.no_grad()
def predict(
    network: Any, reader: Reader, inputs: Int[Tensor, "stories time"]
) -> Float[Tensor, "stories time vocab"]:
    """The logits of the token after each; cut as in training where nothing is carried."""
    if not reader.memory:
        return network(inputs)
    if reader.carries:
        return network.logits(inputs)
    return torch.cat([network.logits(piece) for piece in inputs.split(reader.segment, dim=1)], dim=1)


def nats(network: nn.Module, reader: Reader, texts: tuple[str, ...], at_once: int = 10) -> float:
    """Nats per token of these stories."""
    total, n = 0.0, 0
    for inputs, targets in zip(*(part.split(at_once) for part in long_stories.rows(texts))):
        logits = predict(network, reader, inputs).flatten(0, 1)
        total += F.cross_entropy(logits, targets.flatten(), ignore_index=NOT_SCORED, reduction="sum").item()
        n += int((targets != NOT_SCORED).sum())
    return total / n


@torch.no_grad()
def foreseen(
    network: nn.Module, reader: Reader, inputs: Int[Tensor, "stories time"], asked: list[Recall]
) -> list[int]:
    """The likeliest word at each of these places; a model that is cut reads its latest words alone."""
    found = []
    for one in asked:
        read = inputs[one.row, : one.place + 1]
        if reader.memory and not reader.carries:
            read = read[-reader.segment :]
        found.append(int(predict(network, reader, read[None])[0, -1].argmax()))
    return found


def recalled(network: nn.Module, reader: Reader, factor: int, n: int) -> dict[str, float]:
    """The share of ``near`` and of ``far`` mentions that are foreseen."""
    texts = long_stories.stories(factor, "test", n)
    inputs, targets = long_stories.rows(texts)
    asked = long_stories.recalls(texts)
    said = foreseen(network, reader, inputs, asked)
    right = [int(targets[one.row, one.place]) == word for one, word in zip(asked, said)]
    shares = {}
    for name, wanted in (("near", False), ("far", True)):
        chosen = [good for good, one in zip(right, asked) if one.is_far is wanted]
        shares[name] = round(sum(chosen) / max(len(chosen), 1), 4)
    return shares


def kept(
    predict_word: Callable[[Int[Tensor, "time"]], int], factor: int, n: int, lengths: tuple[int, ...] = KEPT
) -> dict[str, float]:
    """The share of far mentions foreseen if only so many of the latest words are the story's own.

    The others are the first words of the next story, so that the text is as long as before.
    """
    texts = long_stories.stories(factor, "test", n)
    inputs, targets = long_stories.rows(texts)
    asked = [one for one in long_stories.recalls(texts) if one.is_far]
    shares = {}
    for length in lengths:
        right = []
        for one in asked:
            own = inputs[one.row, : one.place + 1]
            other = inputs[(one.row + 1) % len(inputs), : one.place + 1]
            first = max(0, len(own) - length)
            mixed = torch.cat([other[:first], own[first:]])
            right.append(predict_word(mixed) == int(targets[one.row, one.place]))
        shares[str(length)] = round(sum(right) / max(len(right), 1), 4)
    return shares


def batch_of(
    factors: tuple[int, ...],
    pools: dict[int, tuple[Tensor, Tensor]],
    reader: Reader,
    generator: torch.Generator,
) -> tuple[Tensor, Tensor]:
    """About ``TOKENS`` tokens of stories of one length; windows of more stories, where nothing is carried."""
    factor = factors[int(torch.randint(len(factors), (), generator=generator))]
    inputs, targets = pools[factor]
    lengths = (targets != NOT_SCORED).sum(1)
    read = reader.segment if reader.memory and not reader.carries else int(lengths.double().mean())
    some = torch.randint(len(inputs), (max(1, TOKENS // read),), generator=generator)
    if not (reader.memory and not reader.carries):
        longest = int(lengths[some].max())
        return inputs[some, :longest], targets[some, :longest]
    latest = (lengths[some] - read).clamp(min=0)
    begin = (torch.rand(len(some), generator=generator) * (latest + 1)).long()
    at = (begin[:, None] + torch.arange(read)).clamp(max=inputs.shape[1] - 1)
    return inputs[some[:, None], at], targets[some[:, None], at]


def train(
    seed: int,
    *,
    model: str,
    longest: int,
    rate: float,
    steps: int = STEPS,
    check: int = CHECK,
    patience: int = PATIENCE,
    n_train: int = N_TRAIN,
    n_valid: int = N_VALID,
) -> tuple[nn.Module, list[dict[str, float | int]]]:
    """Train by Adam at a constant rate after 100 steps of warm-up; the model at its best, and its curve."""
    generator, reader = torch.Generator().manual_seed(seed), MODELS[model]
    network = build(model, generator)
    factors = tuple(factor for factor in long_stories.FACTORS if factor <= longest)
    pools = {factor: long_stories.rows(long_stories.stories(factor, "train", n_train)) for factor in factors}
    optimizer = torch.optim.Adam(network.parameters(), lr=rate, betas=(0.9, 0.98), fused=True)
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 100))
    curve: list[dict[str, float | int]] = []
    best = copy.deepcopy(network.state_dict())
    for step in range(1, steps + 1):
        optimizer.zero_grad()
        take_gradients(network, reader, *batch_of(factors, pools, reader, generator))
        nn.utils.clip_grad_norm_(network.parameters(), CLIP)
        optimizer.step()
        warmup.step()
        if step % check == 0:
            losses = [nats(network, reader, long_stories.stories(f, "valid", n_valid)) for f in factors]
            curve.append({"step": step, "valid": round(sum(losses) / len(losses), 4)})
            least = min(curve, key=lambda point: point["valid"])
            if least is curve[-1]:
                best = copy.deepcopy(network.state_dict())
            if step - least["step"] >= patience:
                break
    network.load_state_dict(best)
    return network, curve


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    model: str,
    longest: int,
    rate: float,
    n_test: int = N_TEST,
    n_kept: int = N_KEPT,
    **options: Any,
) -> dict[str, Any]:
    """For each length: names foreseen, nats per token, and names foreseen from the latest words."""
    network, curve = train(seed, model=model, longest=longest, rate=rate, **options)
    reader = MODELS[model]
    best = min(curve, key=lambda point: point["valid"])

    def predict_word(tokens: Int[Tensor, "time"]) -> int:
        return foreseen(network, reader, tokens[None], [Recall(0, len(tokens) - 1, 0)])[0]

    by_length = {
        f"times {factor}": {
            **recalled(network, reader, factor, n_test),
            "nats": round(nats(network, reader, long_stories.stories(factor, "test", n_test)), 4),
            "kept": kept(predict_word, factor, n_kept),
        }
        for factor in long_stories.FACTORS
    }
    return {
        **by_length,
        "valid": best["valid"],
        "best_step": best["step"],
        "steps": curve[-1]["step"],
        "parameters": sum(parameter.numel() for parameter in network.parameters()),
        "curve": curve,
    }


EXPERIMENT = Experiment(
    name="long-recall",
    chapter=17,
    description="the hero's name in stories three and ten times as long, fetched by memory and by attention",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        **{"optimizer": "Adam", "schedule": "100 steps of warm-up", "clip": CLIP},
        **{"tokens": TOKENS, "steps": STEPS, "check": CHECK, "patience": PATIENCE},
        **{"stories": N_TRAIN, "window": WINDOW, "shape": SHAPE},
    },
    data=lambda: {"name": "long tales", "sentences": {str(k): n for k, n in long_stories.FACTORS.items()}},
    conditions=tuple(
        {"model": model, "longest": longest, "rate": Tuned(RATES.get(model, (0.001, 0.003, 0.01)))}
        for longest in (3, 10)
        for model in MODELS
    ),
)
