"""Pieces of words as tokens, and one table of them or two: an experiment of chapter 11.

A small :class:`~transformer_lib.transformer.language_model.DecoderLM` is trained on NumPy's docstrings in
byte pairs until it stops improving, with the token table as its head or with a second table.
"""

from functools import cache, partial
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn

from transformer_lib.data import BpeTokenizer, Corpus, load_docstrings, token_stream
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.experiments.shared import small_tales
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

__all__ = [
    "EXPERIMENT",
    "byte_pairs",
    "docstrings",
    "measure",
    "model",
    "stream",
]

BPE_TOKENS, WINDOW, ROWS = 1024, 64, 12
TEXT = 60_000
"""Byte pairs of the training text of the two models: as many as they can learn in two minutes."""


@cache
def docstrings() -> Corpus:
    """The corpus of characters."""
    return load_docstrings()


@cache
def byte_pairs() -> BpeTokenizer:
    """The tokenizer of 1,024 pieces that are learned from the training part."""
    return BpeTokenizer.fit(docstrings().train, vocab_size=BPE_TOKENS)


@cache
def stream(part: str) -> Int[Tensor, "tokens"]:
    """The byte pairs of the ``train``, ``valid`` or ``test`` part, at most ``TEXT`` of them."""
    return torch.from_numpy(token_stream(getattr(docstrings(), part), byte_pairs()))[:TEXT]


def model(seed: int, *, tied: bool) -> DecoderLM:
    """Two blocks of width 64 with random weights."""
    config = TransformerConfig(
        vocab_size=BPE_TOKENS, context_length=WINDOW, d_model=64, n_layers=2, tie_embeddings=tied
    )
    return DecoderLM(config, generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def nats(network: nn.Module, part: str) -> float:
    """Nats per byte pair of the ``valid`` or ``test`` part."""
    return small_tales.nats(network, *small_tales.cut(stream(part), WINDOW)).item()


def measure(seed: int, folder: Path | None = None, *, tied: bool, steps: int, rate: float) -> dict[str, Any]:
    """Nats per byte pair of unseen docstrings at the step with the least validation loss."""
    network = model(seed, tied=tied)
    curve = small_tales.fit_to_the_best(
        network,
        stream("train"),
        partial(nats, part="valid"),
        torch.Generator().manual_seed(seed),
        n_windows=ROWS,
        length=WINDOW,
        steps=steps,
        rate=rate,
    )
    return {
        "nats": round(nats(network, "test"), 4),
        "valid": round(nats(network, "valid"), 4),
        "best_step": min(curve, key=lambda point: point["valid"])["step"],
        "parameters": network.n_parameters(),
        "curve": curve,
    }


EXPERIMENT = Experiment(
    name="tied-tables",
    chapter=11,
    description="one table for both ends of a language model of byte pairs, or two",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "optimizer": "Adam",
        "schedule": "100 steps of warm-up",
        "window": WINDOW,
        "batch": ROWS,
        "d_model": 64,
        "n_layers": 2,
        "text": TEXT,
    },
    data=lambda: {"name": "docstrings", "sha256": docstrings().sha256},
    conditions=tuple(
        {"tied": tied, "steps": 2000, "rate": Tuned((0.001, 0.003, 0.01))} for tied in (True, False)
    ),
)
