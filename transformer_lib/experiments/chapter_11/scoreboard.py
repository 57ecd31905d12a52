"""The scoreboard of the book's first language models, each trained until it stops improving: chapter 11.

All read the same stories, in windows at random places, and keep the weights of the least validation loss.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.ngram import KneserNey
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.experiments.shared import small_tales, thank_you
from transformer_lib.experiments.shared.small_tales import tales
from transformer_lib.one_file_gpt import GPT
from transformer_lib.recurrent.language_model import LSTM, RNN, RecurrentConfig

__all__ = ["EXPERIMENT", "LONGER", "FixedWindow", "build", "measure"]


class FixedWindow(nn.Module):
    """A network of one hidden layer that reads the latest three words, and nothing before them."""

    def __init__(self, vocab_size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, 16)
        self.hidden, self.output = nn.Linear(3 * 16, 128), nn.Linear(128, vocab_size)

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each."""
        padded = F.pad(tokens, (2, 0), value=tales().tokenizer.end_token)
        words = self.embedding(padded).unfold(1, 3, 1).flatten(2)
        return self.output(self.hidden(words).relu())


def build(model: str) -> nn.Module:
    """A model of the scoreboard with random weights; the 4-gram has counted already."""
    words = tales().tokenizer
    start: dict[str, Any] = {"vocab_size": words.vocab_size, "start_token": words.end_token}
    makers: dict[str, Callable[[], nn.Module]] = {
        "4-gram": lambda: KneserNey(4, **start).fit(small_tales.streams()[0]),
        "window of 3 words": lambda: FixedWindow(words.vocab_size),
        "WaveNet": lambda: CausalConvLM(ConvConfig(**start, d_model=64, stack_depth=7)),
        "RNN": lambda: RNN(RecurrentConfig(**start, d_model=146)),
        "LSTM": lambda: LSTM(RecurrentConfig(**start, d_model=128)),
        "one head": lambda: _gpt(d_model=64, n_heads=1, n_layers=1),
        "GPT": lambda: _gpt(d_model=128, n_heads=4, n_layers=2),
    }
    return makers[model]()


def _gpt(d_model: int, n_heads: int, n_layers: int) -> GPT:
    """A GPT whose matrices keep a variance of one: from GPT-2's smaller start, narrow models learn later."""
    network = GPT(tales().tokenizer.vocab_size, thank_you.CONTEXT, d_model, n_heads, n_layers)
    network.init_weights(std=d_model**-0.5)
    return network


CHAPTERS = {
    "4-gram": 1,
    "window of 3 words": 1,
    "WaveNet": 3,
    "RNN": 4,
    "LSTM": 4,
    "one head": 6,
    "GPT": 11,
}


def fit(network: nn.Module, generator: torch.Generator, steps: int, rate: float) -> list[dict[str, Any]]:
    """Train on the stories, and keep the best weights; the losses on the way."""
    return small_tales.fit_to_the_best(
        network,
        small_tales.streams()[0],
        thank_you.valid_nats,
        generator,
        n_windows=16,
        length=thank_you.CONTEXT,
        steps=steps,
        rate=rate,
    )


def measure(
    seed: int, folder: Path | None = None, *, model: str, steps: int = 0, rate: float = 0.0
) -> dict[str, Any]:
    """What :func:`~transformer_lib.experiments.shared.thank_you.score` says of a trained model."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = build(model)
    curve = fit(network, torch.Generator().manual_seed(seed), steps, rate) if steps else []
    best = min(curve, key=lambda point: point["valid"], default={"step": 0})
    size = sum(parameter.numel() for parameter in network.parameters())
    score = thank_you.score(network)
    return {
        "chapter": CHAPTERS[model],
        "parameters": size,
        "best_step": best["step"],
        **score,
        "curve": curve,
    }


def _trained(model: str, steps: int, rates: tuple[float, ...]) -> dict[str, Any]:
    return {"model": model, "steps": steps, "rate": Tuned(rates)}


EXPERIMENT = Experiment(
    name="scoreboard",
    chapter=11,
    description="after “thank you ,” who? From counting to a GPT: the hero's name in unseen stories",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        **{"optimizer": "Adam", "schedule": "100 steps of warm-up"},
        **{"batch": 16, "window": thank_you.CONTEXT},
    },
    data=small_tales.data,
    conditions=(
        _trained("GPT", 1500, (0.001, 0.003, 0.01)),
        _trained("one head", 4000, (0.003, 0.01, 0.03)),
        _trained("LSTM", 4500, (0.001, 0.003, 0.01)),
        _trained("RNN", 4500, (0.0003, 0.001, 0.003)),
        _trained("WaveNet", 3000, (0.003, 0.01, 0.03)),
        _trained("window of 3 words", 4000, (0.0003, 0.001, 0.003)),
        {"model": "4-gram"},
    ),
)

LONGER = replace(
    EXPERIMENT,
    name="scoreboard-longer",
    description="the LSTM of the scoreboard, which was still improving after 4,500 steps",
    conditions=(_trained("LSTM", 12_000, (0.0003, 0.001, 0.003)),),
)
