"""Fully connected networks over a long text overfit; do Transformers, recurrence and convolutions? Chapter 7.

Six models of the same short text each predict every word from all earlier words of its window, at most 63,
and are measured on the training text and on unseen text while they train.
"""

from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales
from transformer_lib.experiments.shared.small_tales import data, tales
from transformer_lib.initialization import embedding, projection
from transformer_lib.recurrent.language_model import LSTM, RecurrentConfig
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

__all__ = ["EXPERIMENT", "KINDS", "RATES", "STEPS", "FullyConnected", "build", "measure", "train"]

WINDOW, BATCH, N_TRAIN, N_TEST = 64, 8, 4096, 4096
RATES, STEPS = (0.003, 0.01, 0.03), (25, 50, 100, 200, 400)
KINDS = (
    "fully connected",
    "fully connected, wide",
    "fully connected, 8 words",
    "Transformer",
    "LSTM",
    "convolutions",
)


class FullyConnected(nn.Module):
    r"""One ReLU layer with weights of its own for every word: :math:`\mathrm{ReLU}(c + \sum_i V_i x_{t-i})`.

    Parameters
    ----------
    history
        How many words it reads. Zeros stand before the first.
    """

    def __init__(
        self, vocab_size: int, history: int, d_model: int, d_hidden: int, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.history = history
        self.words = embedding(vocab_size, d_model, std=d_model**-0.5, generator=generator)
        self.up = projection(history * d_model, d_hidden, bias=True, generator=generator)
        self.down = projection(d_hidden, d_model, bias=False, generator=generator)

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Scores of the word after each."""
        x = F.pad(self.words(tokens), (0, 0, self.history - 1, 0))
        windows = x.unfold(1, self.history, 1).flatten(2)
        return self.down(self.up(windows).relu()) @ self.words.weight.T


def build(kind: str, seed: int) -> Any:
    """A fresh model, one of ``KINDS``: about 25,000 parameters besides the words' vectors, or wide."""
    vocab, generator = tales().tokenizer.vocab_size, torch.Generator().manual_seed(seed)
    match kind:
        case "fully connected":
            return FullyConnected(vocab, WINDOW, 32, 12, generator)
        case "fully connected, wide":
            return FullyConnected(vocab, WINDOW, 32, 64, generator)
        case "fully connected, 8 words":
            return FullyConnected(vocab, 8, 32, 88, generator)
        case "Transformer":
            shape = TransformerConfig(vocab, WINDOW, d_model=32, n_heads=2, n_layers=2, positions="rotary")
            return DecoderLM(shape, generator=generator)
        case "LSTM":
            return LSTM(RecurrentConfig(vocab, d_model=40, n_layers=2), generator=generator)
        case "convolutions":
            return CausalConvLM(ConvConfig(vocab, d_model=26, stack_depth=6), generator=generator)
    raise ValueError(f"there is no model {kind!r}; choose one of {', '.join(KINDS)}")


def train(seed: int, *, kind: str, rate: float, steps: int = STEPS[-1]) -> dict[str, dict[str, float]]:
    """Nats per word on the training text and on unseen text after each of ``STEPS``, up to ``steps``."""
    text, unseen = small_tales.streams()
    start = int(torch.randint(len(text) - N_TRAIN, (1,), generator=torch.Generator().manual_seed(seed)))
    parts = {"train": text[start : start + N_TRAIN + 1], "test": unseen[: N_TEST + 1]}
    model, generator = build(kind, seed), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    found = {}
    for step in range(1, steps + 1):
        inputs, targets = small_tales.draw(parts["train"], BATCH, WINDOW, generator)
        small_tales.take_step(optimizer, small_tales.nats(model.logits, inputs, targets))
        if step in STEPS:
            with torch.no_grad():
                found[str(step)] = {name: round(_within(model, part), 4) for name, part in parts.items()}
    return found


def measure(seed: int, folder: Path | None = None, *, kind: str, rate: float) -> dict[str, Any]:
    """Nats per word on both texts after each of ``STEPS``."""
    return train(seed, kind=kind, rate=rate)


def _within(model: Any, text: Int[Tensor, "words"]) -> float:
    """Nats per word that follows another one of its window."""
    words, _ = small_tales.cut(text, WINDOW)
    return small_tales.nats(model.logits, words[:, :-1], words[:, 1:]).item()


EXPERIMENT = Experiment(
    name="overfitting",
    chapter=7,
    description="fully connected networks, a Transformer, an LSTM and convolutions on a short text",
    measure=measure,
    seeds=(0, 1, 2),
    config={"optimizer": "Adam", "batch": BATCH, "window": WINDOW, "words": N_TRAIN, "steps": STEPS},
    data=data,
    conditions=tuple({"kind": kind, "rate": rate} for kind in KINDS for rate in RATES),
)
