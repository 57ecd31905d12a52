"""Which parts does a long memory need? The ablations of Levy et al. on two tasks of recall: chapter 16.

In both tasks a network reads symbols, and after the last it names one that stood ``DELAY`` symbols or more
before. On *marked itself* the symbol is of a kind of its own, and all others are noise: the word alone says
that it must be kept. On *after a marker* it is of the same kind as all others, and the token before it says
so: what must be kept depends on the context.
"""

from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.initialization import embedding, projection
from transformer_lib.recurrent.ablations import PARTS, PartialLSTMLayer
from transformer_lib.recurrent.cells import LSTMState, RNNLayer, RNNState

__all__ = [
    "EXPERIMENT",
    "FORMS",
    "TASKS",
    "Reader",
    "draw",
    "measure",
    "recurrent_layers",
    "train",
    "zero_state",
]

N_SYMBOLS, DELAY, EARLIEST = 8, 20, 4
WIDTH, BATCH, STEPS, CLIP, FORGET_BIAS = 32, 32, 4000, 1.0, 4.0
RATES = (0.002, 0.005, 0.015)
SMOOTHED, SOLVED, TESTED = 20, 0.95, 1000
TASKS = ("marked itself", "after a marker")
FORMS: dict[str, tuple[str, ...]] = {
    "LSTM": (),
    "no recurrent content": ("content",),
    "no recurrent gates": ("gates",),
    "no output gate": ("output",),
    "none of the three": PARTS,
    "none, two layers": PARTS,
}
"""The parts that each form lacks; ``no gates`` beside them is a plain recurrent network."""

NO_GATES = "no gates"


def recurrent_layers(form: str, width: int, generator: torch.Generator) -> nn.ModuleList:
    """The layers of one of the :data:`FORMS`, or of a plain network."""
    layers = nn.ModuleList()
    for _ in range(2 if "two layers" in form else 1):
        if form == NO_GATES:
            layers.append(RNNLayer(width, bias=True, activation="tanh", generator=generator))
        else:
            parts = FORMS[form]
            layers.append(
                PartialLSTMLayer(width, without=parts, forget_bias=FORGET_BIAS, generator=generator)
            )
    return layers


def zero_state(layer: nn.Module, x: Float[Tensor, "batch time width"]) -> RNNState | LSTMState:
    """The state in which a layer has read nothing."""
    zero = x.new_zeros(len(x), x.shape[-1])
    return RNNState(zero) if isinstance(layer, RNNLayer) else LSTMState(zero, zero)


class Reader(nn.Module):
    """One of the :data:`FORMS`, or a plain network, that names a symbol after the last that it has read."""

    def __init__(self, form: str, generator: torch.Generator) -> None:
        super().__init__()
        self.tokens = embedding(2 * N_SYMBOLS, WIDTH, std=1.0, generator=generator)
        self.layers = recurrent_layers(form, WIDTH, generator)
        self.head = projection(WIDTH, N_SYMBOLS, bias=False, generator=generator)

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch symbols"]:
        """The scores of the symbols after the last token."""
        x = self.tokens(tokens)
        for layer in self.layers:
            x, _ = layer(x, zero_state(layer, x))
        return self.head(x[:, -1])


def draw(task: str, n: int, generator: torch.Generator) -> tuple[Int[Tensor, "n time"], Int[Tensor, "n"]]:
    """Texts of one length, and the symbol that each asks for.

    The symbol stands at one of the first few places, and at least ``DELAY`` tokens follow it.
    """
    length = EARLIEST + 2 + DELAY
    tokens = torch.randint(N_SYMBOLS, (n, length), generator=generator)
    symbols = torch.randint(N_SYMBOLS, (n,), generator=generator)
    rows, place = torch.arange(n), torch.randint(1, EARLIEST + 2, (n,), generator=generator)
    if task == "marked itself":
        tokens += N_SYMBOLS
    else:
        tokens[rows, place - 1] = N_SYMBOLS
    tokens[rows, place] = symbols
    return tokens, symbols


def train(
    seed: int, *, task: str, form: str, rate: float, steps: int = STEPS
) -> tuple[Reader, dict[str, float | int]]:
    """Train by Adam until 95% of the answers of 20 batches are right, or for ``steps``.

    Returns
    -------
    The network, and the number of ``steps``, whether the task was ``solved``, and the share of ``right``
    answers on new texts.
    """
    generator = torch.Generator().manual_seed(seed)
    model = Reader(form, generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    right: list[float] = []
    for _ in range(steps):
        tokens, symbols = draw(task, BATCH, generator)
        logits = model(tokens)
        optimizer.zero_grad()
        F.cross_entropy(logits, symbols).backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        right.append((logits.argmax(-1) == symbols).double().mean().item())
        share = sum(right[-SMOOTHED:]) / SMOOTHED
        if share >= SOLVED:
            break
    tokens, symbols = draw(task, TESTED, torch.Generator().manual_seed(seed + 1_000_003))
    with torch.no_grad():
        tested = (model(tokens).argmax(-1) == symbols).double().mean().item()
    half = right[len(right) // 2 : len(right) * 3 // 4]
    return model, {
        "steps": len(right),
        "solved": int(share >= SOLVED),
        "right": round(tested, 4),
        "right before the last quarter": round(sum(half) / max(len(half), 1), 4),
    }


def measure(
    seed: int, folder: Path | None = None, *, task: str, form: str, rate: float, steps: int = STEPS
) -> dict[str, Any]:
    """What training reached."""
    return train(seed, task=task, form=form, rate=rate, steps=steps)[1]


EXPERIMENT = Experiment(
    name="ablated-recall",
    chapter=16,
    description="LSTMs without some of their parts recall a symbol that itself or its context marks",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "optimizer": "Adam",
        "batch": BATCH,
        "steps": STEPS,
        "clip": CLIP,
        "width": WIDTH,
        "forget_bias": FORGET_BIAS,
        "delay": DELAY,
    },
    data=lambda: {"name": "symbols drawn from the seed", "symbols": N_SYMBOLS},
    conditions=tuple(
        {"task": task, "form": form, "rate": rate}
        for task in TASKS
        for form in (*FORMS, NO_GATES)
        for rate in RATES
    ),
)
