"""A causal head that answers *thank you ,* with the hero's name: the model of chapter 6, and how it learns.

It knows no positions. Its page trains it by the same lines on whole stories; the record has more seeds, and
windows of running text, in which a model without positions cannot tell an earlier hero from a later one.
"""

from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.data import TALES
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales, thank_you
from transformer_lib.experiments.shared.small_tales import data, tales

__all__ = ["EXPERIMENT", "CausalHead", "StoryReader", "measure", "padded_stories", "trace", "train"]

STEPS, RATE, BATCH, D_MODEL = 1000, 0.02, 16, 64
IGNORED = -100
NAMES = tuple(row[0] for row in TALES.facts[0].rows)


class CausalHead(nn.Module):
    """Equations (1) to (3) of the note for one head, under a causal mask; it keeps its scores and weights."""

    def __init__(self, d: int, k: int) -> None:
        super().__init__()
        self.W_q = nn.Parameter(torch.randn(d, k) / d**0.5)
        self.W_k = nn.Parameter(torch.randn(d, k) / d**0.5)
        self.W_v = nn.Parameter(torch.randn(d, k) / d**0.5)
        self.W_c = nn.Parameter(torch.randn(k, d) / k**0.5)

    def forward(self, x: Float[Tensor, "stories words d"]) -> Float[Tensor, "stories words d"]:
        """What each word gathers from itself and those before it."""
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        scores = q @ k.mT / k.shape[-1] ** 0.5
        future = torch.ones_like(scores[0]).triu(1).bool()
        self.scores = scores.masked_fill(future, -torch.inf)
        self.weights = self.scores.softmax(dim=-1)
        return self.weights @ v @ self.W_c


class StoryReader(nn.Module):
    """At each word of a story, the logits of the word after it: a vector for each word, one head, one map."""

    def __init__(self, vocab_size: int, d: int = D_MODEL, k: int = D_MODEL) -> None:
        super().__init__()
        self.words = nn.Parameter(0.3 * torch.randn(vocab_size, d))
        self.head = CausalHead(d, k)
        self.output = nn.Linear(d, vocab_size)

    def forward(self, tokens: Int[Tensor, "stories words"]) -> Float[Tensor, "stories words vocab"]:
        """The logits."""
        x = self.words[tokens]
        return self.output(x + self.head(x))


def padded_stories() -> Int[Tensor, "stories words"]:
    """The stories to train on, between end tokens, filled up with ``IGNORED``."""
    vocabulary = tales().tokenizer
    end = vocabulary.end_token
    rows = [torch.tensor([end, *vocabulary.encode(story), end]) for story in tales().train]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=IGNORED)


def trace(model: StoryReader) -> dict[str, float]:
    """At the comma of *thank you ,* in a hundred unseen stories: means over the stories.

    Probabilities of some name and of the right one, the weights on the right one and on *thank you*, and the
    derivative of the loss of this prediction with respect to the score of the right name.
    """
    questions = thank_you.questions()
    prompts = nn.utils.rnn.pad_sequence([question.prompt for question in questions], batch_first=True)
    heroes = torch.tensor([question.name for question in questions])
    rows = torch.arange(len(prompts))
    last = torch.tensor([len(question.prompt) - 1 for question in questions])
    logits = model(prompts)[rows, last]
    loss = F.cross_entropy(logits, heroes, reduction="sum")
    (slopes,) = torch.autograd.grad(loss, model.head.scores)
    p, weights = logits.detach().softmax(-1), model.head.weights.detach()[rows, last]
    is_hero = prompts == heroes[:, None]
    encode = tales().tokenizer.encode
    is_thanks = torch.isin(prompts, torch.tensor(encode("thank you")))
    numbers = {
        "some name": p[:, encode(" ".join(NAMES))].sum(-1),
        "right name": p[rows, heroes],
        "weight": (weights * is_hero).sum(-1),
        "weight on thanks": (weights * is_thanks).sum(-1),
        "slope": (slopes[rows, last] * is_hero).sum(-1),
    }
    return {name: round(of_each.mean().item(), 4) for name, of_each in numbers.items()}


def train(
    seed: int, *, reads: str = "stories", steps: int = STEPS
) -> tuple[StoryReader, list[dict[str, Any]]]:
    """Train by Adam, its rate falling to 0; the model, and its traces on the way.

    Parameters
    ----------
    reads
        ``stories``, each by itself, or ``windows`` at random places of all stories one after the other.
    """
    stories, (stream, _) = padded_stories(), small_tales.streams()
    every = 20 if reads == "stories" else steps
    curve: list[dict[str, Any]] = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = StoryReader(tales().tokenizer.vocab_size)
        optimizer = torch.optim.Adam(model.parameters())
        for step in range(steps + 1):
            if step % every == 0:
                curve.append({"step": step, **trace(model)})
            optimizer.param_groups[0]["lr"] = RATE * (1 - step / steps)
            if reads == "stories":
                batch = stories[torch.randint(len(stories), (BATCH,))]
            else:
                inputs, targets = small_tales.draw(stream, BATCH, thank_you.CONTEXT, torch.default_generator)
                batch = torch.cat([inputs, targets[:, -1:]], dim=1)
            logits = model(batch[:, :-1].clamp(min=0))
            loss = F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten(), ignore_index=IGNORED)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model, curve


def measure(seed: int, folder: Path | None = None, *, reads: str, steps: int) -> dict[str, Any]:
    """How many names are right, and the traces."""
    model, curve = train(seed, reads=reads, steps=steps)
    right: dict[bool, int] = {True: 0, False: 0}
    with torch.no_grad():
        for question in thank_you.questions():
            answer = int(model(question.prompt[None])[0, -1].argmax())
            right[question.is_near] += answer == question.name
    return {"near": right[True], "far": right[False], **curve[-1], "curve": curve}


EXPERIMENT = Experiment(
    name="one-head",
    chapter=6,
    description="one causal head learns to answer “thank you ,” with the hero's name",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "optimizer": "Adam",
        "rate": RATE,
        "schedule": "linear to 0",
        "batch": BATCH,
        "d_model": D_MODEL,
        "window": thank_you.CONTEXT,
    },
    data=data,
    conditions=(
        {"reads": "stories", "steps": STEPS},
        {"reads": "windows", "steps": STEPS},
        {"reads": "windows", "steps": 4 * STEPS},
    ),
)
