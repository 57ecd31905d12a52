"""Two relations at once: what one head and what several heads of the same total width learn.

The experiment of chapter 7. Eight cards lie in a row. Each has a symbol of its own, an answer drawn at
random, and the symbol of a card that it asks for. Each card is to name two answers: that of the card that it
asks for, which may lie anywhere (*recall*), and that of the card before it, whatever it shows (*before*).
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.initialization import projection
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.block import FeedForward

__all__ = [
    "EXPERIMENT",
    "RATES",
    "RELATIONS",
    "STEPS",
    "TASKS",
    "CardReader",
    "Cards",
    "data",
    "measure",
    "shares_right",
    "shares_without",
    "train_reader",
    "weights_on_sources",
]

N_CARDS, N_ANSWERS, D_MODEL, BATCH = 8, 8, 32, 32
RATES, STEPS = (0.003, 0.01), (300, 900)
RELATIONS = ("recall", "before")
TASKS: dict[str, tuple[str, ...]] = {"both": RELATIONS, "recall": ("recall",), "before": ("before",)}
"""What counts in the loss: both relations, or one of them."""


@dataclass(frozen=True)
class Cards:
    """Rows of cards: what each shows, and at which place of its row its two answers are found."""

    symbol: Int[Tensor, "rows cards"]
    answer: Int[Tensor, "rows cards"]
    asked: Int[Tensor, "rows cards"]
    sources: Int[Tensor, "relations rows cards"]

    @classmethod
    def draw(cls, n_rows: int, generator: torch.Generator) -> "Cards":
        """Rows drawn at random; the first card of a row has no card before it, and its source is -1."""
        symbol = torch.rand(n_rows, N_CARDS, generator=generator).argsort(-1)
        answer = torch.randint(N_ANSWERS, (n_rows, N_CARDS), generator=generator)
        place = torch.randint(N_CARDS, (n_rows, N_CARDS), generator=generator)
        before = torch.arange(-1, N_CARDS - 1).expand(n_rows, -1)
        return cls(symbol, answer, symbol.gather(1, place), torch.stack((place, before)))

    @property
    def targets(self) -> Int[Tensor, "relations rows cards"]:
        """The right answers; -100, which the loss leaves out, where there is no card before."""
        answers = self.answer.expand(len(RELATIONS), -1, -1)
        found = answers.gather(-1, self.sources.clamp(min=0))
        return found.masked_fill(self.sources < 0, -100)


class CardReader(nn.Module):
    """Attention that reads a row of cards, and a linear map that names the answers to each relation.

    Parameters
    ----------
    n_heads
        Their widths add up to the width of the model.
    network
        Put a ReLU network, applied to each card by itself, between attention and the linear map.
    """

    def __init__(self, n_heads: int, network: bool = False, generator: torch.Generator | None = None) -> None:
        super().__init__()

        def draw(n: int) -> nn.Parameter:
            return nn.Parameter(0.5 * torch.randn(n, D_MODEL, generator=generator))

        self.symbols, self.answers, self.asking = draw(N_CARDS), draw(N_ANSWERS), draw(N_CARDS)
        self.places = draw(N_CARDS)
        self.attention = MultiHeadAttention(D_MODEL, n_heads, generator=generator)
        self.network = FeedForward(D_MODEL, 2 * D_MODEL, generator=generator) if network else None
        self.name = projection(D_MODEL, len(RELATIONS) * N_ANSWERS, bias=False, generator=generator)

    def read(self, cards: Cards) -> Float[Tensor, "rows cards d_model"]:
        """A vector for each card."""
        shown = self.symbols[cards.symbol] + self.answers[cards.answer]
        return shown + self.asking[cards.asked] + self.places

    def forward(self, cards: Cards) -> Float[Tensor, "relations rows cards answers"]:
        """The score of each possible answer under each relation."""
        x = self.read(cards)
        u = x + self.attention(x)
        z = u if self.network is None else u + self.network(u)
        return self.name(z).unflatten(-1, (len(RELATIONS), -1)).movedim(2, 0)

    def weights(self, cards: Cards) -> Float[Tensor, "rows heads cards cards"]:
        """How much each card attends to each other in each head."""
        return self.attention.weights(self.read(cards))


def train_reader(
    seed: int,
    *,
    n_heads: int,
    network: bool = False,
    task: str = "both",
    rate: float = 0.003,
    steps: Sequence[int] = STEPS[-1:],
) -> list[CardReader]:
    """Train a reader with Adam at a constant rate; its states after each of ``steps``, the last one trained.

    Parameters
    ----------
    task
        One of the ``TASKS``.
    """
    generator = torch.Generator().manual_seed(seed)
    reader = CardReader(n_heads, network, generator)
    counts = [RELATIONS.index(relation) for relation in TASKS[task]]
    optimizer = torch.optim.Adam(reader.parameters(), lr=rate, fused=True)
    kept = []
    for step in range(1, max(steps, default=0) + 1):
        cards = Cards.draw(BATCH, generator)
        scores, targets = reader(cards)[counts], cards.targets[counts]
        loss = F.cross_entropy(scores.flatten(0, 2), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step in steps:
            kept.append(copy.deepcopy(reader))
    return kept


@torch.no_grad()
def shares_right(reader: CardReader, cards: Cards) -> dict[str, float]:
    """The share of right answers under each relation, and of cards with both right."""
    known = (cards.sources >= 0).all(0)
    right = (reader(cards).argmax(-1) == cards.targets)[:, known]
    shares = dict(zip(RELATIONS, right.double().mean(-1).tolist()))
    return shares | {"both": right.all(0).double().mean().item()}


@torch.no_grad()
def shares_without(reader: CardReader, cards: Cards) -> list[dict[str, float]]:
    """The shares of right answers when one head after the other is silent."""
    attention = reader.attention
    found = []
    for head in range(attention.n_heads):
        whole = attention.output.weight.clone()
        attention.output.weight.unflatten(1, (attention.n_heads, -1))[:, head] = 0
        found.append(shares_right(reader, cards))
        attention.output.weight.copy_(whole)
    return found


@torch.no_grad()
def weights_on_sources(reader: CardReader, cards: Cards) -> Float[Tensor, "heads relations"]:
    """Each head's mean weight on the card that holds the answer, relation by relation."""
    known = (cards.sources >= 0).all(0)
    weights = reader.weights(cards).movedim(1, 0)[:, known]
    sources = cards.sources[:, known]
    return torch.stack([weights[:, range(len(s)), s].mean(-1) for s in sources], -1)


def measure(
    seed: int, folder: Path | None = None, *, task: str, n_heads: int, network: bool, rate: float
) -> dict[str, Any]:
    """What a reader answers on unseen cards, whole and with each head silent, and where its heads look."""
    cards = Cards.draw(500, torch.Generator().manual_seed(1_000 + seed))
    readers = train_reader(seed, n_heads=n_heads, network=network, task=task, rate=rate, steps=STEPS)
    results = {}
    for step, reader in zip(STEPS, readers):
        weights = weights_on_sources(reader, cards).tolist()
        heads = {
            str(head + 1): {"weight": dict(zip(RELATIONS, on)), "without": without}
            for head, (on, without) in enumerate(zip(weights, shares_without(reader, cards)))
        }
        results[str(step)] = _rounded({"right": shares_right(reader, cards), "head": heads})
    return results


def data() -> dict[str, Any]:
    """What a record says about the data."""
    return {"name": "cards, drawn from the seed", "cards": N_CARDS, "answers": N_ANSWERS}


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    return {k: _rounded(v) if isinstance(v, dict) else round(v, 4) for k, v in values.items()}


EXPERIMENT = Experiment(
    name="heads",
    chapter=7,
    description="one, two and four heads of the same total width, where two relations are needed at once",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"optimizer": "Adam", "batch": BATCH, "d_model": D_MODEL, "steps": STEPS},
    data=data,
    conditions=tuple(
        {"task": task, "n_heads": n_heads, "network": network, "rate": rate}
        for task in TASKS
        for n_heads in ((1, 2, 4) if task == "both" else (1,))
        for network in ((False, True) if task == "both" else (False,))
        for rate in RATES
    ),
)
