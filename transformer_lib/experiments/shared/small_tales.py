"""Windows of the tales: what the book's small language models are trained and measured on.

Training draws windows at random places; the measure cuts unseen stories into windows that do not overlap.
"""

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.data import Corpus, load_tales, token_stream

__all__ = ["CHECKS", "cut", "draw", "fit_to_the_best", "nats", "streams", "take_step"]

CHECKS = 20
"""How often a run looks at its validation loss."""


@cache
def tales() -> Corpus:
    """The stories of the chapter."""
    return load_tales(n_train=2000, n_valid=0, n_test=500, seed=0)


def data() -> dict[str, Any]:
    """What a record says about the stories."""
    return {"name": "tales", "sha256": tales().sha256}


def streams(n_test: int | None = None, n_train: int | None = None) -> list[Int[Tensor, "tokens"]]:
    """The tokens of the first stories to train on, and of the first unseen ones; by default of all."""
    parts = (tales().train[:n_train], tales().test[:n_test])
    return [torch.from_numpy(token_stream(part, tales().tokenizer)) for part in parts]


def draw(
    stream: Int[Tensor, "tokens"], n_windows: int, length: int, generator: torch.Generator
) -> tuple[Int[Tensor, "n_windows length"], Int[Tensor, "n_windows length"]]:
    """Windows at random places, and the token after each of their tokens."""
    start = torch.randint(len(stream) - length, (n_windows, 1), generator=generator)
    window = stream[start + torch.arange(length + 1)]
    return window[:, :-1], window[:, 1:]


def cut(
    stream: Int[Tensor, "tokens"], length: int
) -> tuple[Int[Tensor, "windows length"], Int[Tensor, "windows length"]]:
    """The stream in windows that follow one another, without the rest, and the token after each token."""
    whole = (len(stream) - 1) // length * length
    return stream[:whole].view(-1, length), stream[1 : whole + 1].view(-1, length)


def nats(
    logits: Callable[[Int[Tensor, "windows length"]], Tensor],
    inputs: Int[Tensor, "windows length"],
    targets: Int[Tensor, "windows length"],
) -> Float[Tensor, ""]:
    """The mean loss of the predictions, in nats per token."""
    return F.cross_entropy(logits(inputs).flatten(0, 1), targets.flatten())


def take_step(optimizer: torch.optim.Optimizer, loss: Float[Tensor, ""]) -> None:
    """One step of the optimizer down the gradient of the loss."""
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def fit_to_the_best(
    network: nn.Module,
    stream: Int[Tensor, "tokens"],
    valid_nats: Callable[[nn.Module], float],
    generator: torch.Generator,
    *,
    n_windows: int,
    length: int,
    steps: int,
    rate: float,
) -> list[dict[str, Any]]:
    """Train by Adam, and put back the weights of the least validation loss; the losses on the way.

    The rate rises for 100 steps and stays, so that a run that goes on improving shows it.
    """
    optimizer = torch.optim.Adam(network.parameters(), lr=rate, betas=(0.9, 0.95), fused=True)
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 100))
    curve: list[dict[str, Any]] = []
    best = network.state_dict()
    for step in range(1, steps + 1):
        loss = nats(network, *draw(stream, n_windows, length, generator))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        warmup.step()
        if step % max(steps // CHECKS, 1) == 0:
            curve.append({"step": step, "valid": round(valid_nats(network), 4)})
            if min(curve, key=lambda point: point["valid"]) is curve[-1]:
                best = copy.deepcopy(network.state_dict())
    network.load_state_dict(best)
    return curve
