"""Windows of the tales: what the book's small language models are trained and measured on.

Training draws windows at random places; the measure cuts unseen stories into windows that do not overlap.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.data import Corpus, load_tales, token_stream

__all__ = ["cut", "draw", "nats", "streams", "take_step"]


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
