"""Does a recurrent network still know the hero's name? An experiment of chapter 4 on the tales.

A story names its hero in the first sentence, and again 15 or 17 words after the last time, or 34 to 89 words
after it; nothing lies between. The networks have as many parameters, within 1%, and differ in their cell and
in where its weights start.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.data.tales import NAMES
from transformer_lib.experiments.chapter_04.delayed_recall import started_kernel
from transformer_lib.experiments.chapter_10 import whole_transformer
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.initialization import embedding, projection

__all__ = [
    "BINS",
    "EXPERIMENT",
    "STEPS",
    "Mentions",
    "StoryReader",
    "kept",
    "measure",
    "mentions",
    "train",
    "write",
]

WIDTHS = {"RNN": 220, "RNN, identity": 220, "LSTM, bias 1": 128, "LSTM, bias 4": 128}
RATES = {
    "RNN": (0.0005,),
    "RNN, identity": (0.0001, 0.0002, 0.0005),
    "LSTM, bias 1": (0.001, 0.002, 0.005),
    "LSTM, bias 4": (0.002, 0.005, 0.01),
}
BATCH, STEPS, CHECKS, CLIP = 16, 5000, 20, 1.0
FAR = 20
"""Words back: nearer mentions have the name 15 or 17 words back, the others 34 or more."""

BINS = (20, 40, 50, 60, 90)
"""Ends of the stretches of distances that the chapter draws."""

ASKED = " thank you , "
WRITTEN, SHOWN, LONGEST = 200, 5, 120


class StoryReader(nn.Module):
    """A language model of one recurrent layer."""

    def __init__(self, network: str, generator: torch.Generator) -> None:
        super().__init__()
        n_words, width = whole_transformer.tales().tokenizer.vocab_size, WIDTHS[network]
        self.words = embedding(n_words, width, std=1.0, generator=generator)
        self.kernel = started_kernel(network, width, generator)
        self.head = projection(width, n_words, generator=generator)

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each."""
        return self.head(self.kernel(self.words(tokens))[0])


class Mentions(NamedTuple):
    """Places at which the unseen stories name their hero again, and how many words back the name lies."""

    story: Int[Tensor, "n"]
    place: Int[Tensor, "n"]
    back: Int[Tensor, "n"]


@cache
def unseen() -> tuple[Int[Tensor, "stories time"], Int[Tensor, "stories time"]]:
    """What is read and what is predicted of the unseen stories."""
    return whole_transformer.read(whole_transformer.tales().test)


@cache
def mentions() -> Mentions:
    """All mentions of a hero but the first of each story."""
    found = []
    for story, text in enumerate(whole_transformer.tales().test):
        named = [place for place, word in enumerate(text.split()) if word in NAMES]
        found += [(story, here, here - last) for last, here in pairwise(named)]
    return Mentions(*torch.tensor(found).unbind(1))


def train(
    seed: int, *, network: str, rate: float, steps: int = STEPS
) -> tuple[StoryReader, list[dict[str, int | float]]]:
    """A network trained by Adam, its rate rising for 50 steps and falling to 0, and its scores on the way."""
    generator = torch.Generator().manual_seed(seed)
    model = StoryReader(network, generator)
    inputs, targets = whole_transformer.read(whole_transformer.tales().train)
    lengths = (targets != whole_transformer.NOT_SCORED).sum(1)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 50) * (1 - step / steps)
    )
    curve = []
    for step in range(1, steps + 1):
        some = torch.randint(len(inputs), (BATCH,), generator=generator)
        longest = int(lengths[some].max())
        logits, target = model(inputs[some, :longest]).flatten(0, 1), targets[some, :longest].flatten()
        optimizer.zero_grad()
        F.cross_entropy(logits, target, ignore_index=whole_transformer.NOT_SCORED).backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        schedule.step()
        if step % max(steps // CHECKS, 1) == 0:
            valid = whole_transformer.test_loss(model, whole_transformer.validation())
            curve.append({"step": step, "valid": round(valid, 4)} | score(model))
    return model, curve


@torch.no_grad()
def score(model: nn.Module) -> dict[str, float]:
    """The share of ``near`` and of ``far`` mentions, and of each of the :data:`BINS`, that are foreseen."""
    (inputs, targets), named = unseen(), mentions()
    said = torch.cat([model(some).argmax(-1) for some in inputs.split(50)])
    right = (said == targets)[named.story, named.place].double()

    def share(low: int, high: int) -> float:
        return round(right[(named.back >= low) & (named.back < high)].mean().item(), 4)

    stretches = {f"under {high}": share(low, high) for low, high in pairwise((0, *BINS))}
    return {"near": share(0, FAR), "far": share(FAR, BINS[-1])} | stretches


@torch.no_grad()
def write(model: StoryReader, generator: torch.Generator, n: int = WRITTEN) -> list[str]:
    """Stories, word by word, each word drawn from the model's distribution."""
    words = whole_transformer.tales().tokenizer
    token, state, written = torch.full((n, 1), words.end_token), None, []
    for _ in range(LONGEST):
        hidden, state = model.kernel(model.words(token), state)
        token = torch.multinomial(model.head(hidden[:, 0]).softmax(-1), 1, generator=generator)
        written.append(token)
    end, rows = words.end_token, torch.cat(written, dim=1).tolist()
    return [words.decode(row[: row.index(end)] if end in row else row) for row in rows]


def kept(stories: Sequence[str]) -> float:
    """The share of the stories that name a hero twice or more whose names are all the same."""
    named = [[word for word in story.split() if word in NAMES] for story in stories]
    again = [names for names in named if len(names) > 1]
    return round(sum(len(set(names)) == 1 for names in again) / max(len(again), 1), 4)


@torch.no_grad()
def opening(model: nn.Module) -> dict[str, float]:
    """The probabilities of the likeliest words after *thank you ,* in the story that opens the chapter."""
    words = whole_transformer.tales().tokenizer
    before, *_ = whole_transformer.tales().test[0].partition(ASKED)
    tokens = torch.tensor([[words.end_token, *words.encode(before + ASKED.rstrip())]])
    found = model(tokens)[0, -1].softmax(-1).topk(3)
    likely = zip(found.indices.tolist(), found.values.tolist())
    return {words.decode([token]): round(p, 4) for token, p in likely}


def measure(
    seed: int, folder: Path | None = None, *, network: str, rate: float, steps: int = STEPS
) -> dict[str, Any]:
    """What a trained network recalls of the names, and some stories that it writes."""
    model, curve = train(seed, network=network, rate=rate, steps=steps)
    best = min(curve, key=lambda point: point["valid"])
    stories = write(model, torch.Generator().manual_seed(seed))
    return {
        **{name: value for name, value in curve[-1].items() if name not in ("step", "valid")},
        "nats": round(whole_transformer.test_loss(model), 4),
        "valid": best["valid"],
        "best_step": best["step"],
        "kept": kept(stories),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "opening": opening(model),
        "outputs": {"stories": stories[:SHOWN]},
        "curve": curve,
    }


EXPERIMENT = Experiment(
    name="hero-recall",
    chapter=4,
    description="RNNs and LSTMs that read a story and must still know its hero",
    measure=measure,
    seeds=(3, 4, 5, 6, 7),
    config={
        "optimizer": "Adam",
        "schedule": "50 steps of warm-up, linear to 0",
        "batch": BATCH,
        "steps": STEPS,
        "clip": CLIP,
        "widths": WIDTHS,
    },
    data=lambda: {"name": "tales", "sha256": whole_transformer.tales().sha256},
    conditions=tuple({"network": network, "rate": rate} for network in WIDTHS for rate in RATES[network]),
)
