"""Characters or pieces of words, one table of embeddings or two: an experiment of chapter 11.

A small :class:`~transformer_lib.transformer.language_model.DecoderLM` is trained on NumPy's docstrings and
scored on others, in nats per character, so that models of different tokens can be compared.
"""

import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from transformer_lib.data import BpeTokenizer, Corpus, Tokenizer, load_docstrings, token_stream
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales
from transformer_lib.text.language_model import continue_text
from transformer_lib.training import evaluate_language_model
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

__all__ = [
    "EXPERIMENT",
    "LONGER",
    "N_TEST",
    "SHORT",
    "STEPS",
    "TOKENS",
    "docstrings",
    "measure",
    "nats_per_character",
    "scored",
    "stream",
    "tokenizer",
    "train",
]

TOKENS = ("characters", "bpe")
BPE_TOKENS, WINDOW, ROWS, STEPS, LONGER = 1024, 64, 12, 120, 480
SHORT = 20_000
"""Characters of a short training text."""

SAMPLE = 400
"""The most tokens of a text that a model writes."""

N_TEST = 12
"""Docstrings of the test part that are scored."""


@cache
def docstrings() -> Corpus:
    """The corpus of characters."""
    return load_docstrings()


@cache
def tokenizer(tokens: str) -> Tokenizer:
    """The tokenizer of characters, or of 1,024 pieces that are learned from the training part."""
    if tokens == "characters":
        return docstrings().tokenizer
    return BpeTokenizer.fit(docstrings().train, vocab_size=BPE_TOKENS)


@cache
def stream(tokens: str) -> torch.Tensor:
    """The training part in these tokens."""
    return torch.from_numpy(token_stream(docstrings().train, tokenizer(tokens)))


@cache
def scored(tokens: str) -> np.ndarray:
    """The scored docstrings in these tokens."""
    return token_stream(docstrings().test[:N_TEST], tokenizer(tokens))


def train(
    seed: int, *, tokens: str, tied: bool, rate: float, steps: int, text: int | None = None
) -> DecoderLM:
    """A model after so many steps of Adam, the rate rising for 50 steps and falling to 0 at the end.

    ``text`` is how many tokens of the training part there are; by default all.
    """
    generator = torch.Generator().manual_seed(seed)
    config = TransformerConfig(
        vocab_size=tokenizer(tokens).vocab_size,
        context_length=WINDOW,
        d_model=64,
        n_layers=2,
        tie_embeddings=tied,
    )
    model = DecoderLM(config, generator=generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 50) * (1 - step / steps)
    )
    tokens_read = stream(tokens)[:text]
    for _ in range(steps):
        inputs, targets = small_tales.draw(tokens_read, ROWS, WINDOW, generator)
        loss = small_tales.nats(model.logits, inputs, targets)
        small_tales.take_step(optimizer, loss)
        schedule.step()
    return model


def nats_per_character(nats_per_token: float, tokens: str) -> float:
    """The same loss of the scored docstrings, divided by their characters; each ends in one more."""
    characters = sum(len(text) + 1 for text in docstrings().test[:N_TEST])
    return nats_per_token * len(scored(tokens)) / characters


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    tokens: str,
    tied: bool,
    rate: float,
    steps: int,
    text: int | None = None,
) -> dict[str, Any]:
    """Nats per token and per character of unseen docstrings, what training cost, and a text of the model."""
    stream(tokens)
    began = time.process_time()
    model = train(seed, tokens=tokens, tied=tied, rate=rate, steps=steps, text=text)
    seconds = time.process_time() - began
    nats = evaluate_language_model(model, scored(tokens), stride=WINDOW // 2).nats
    return {
        "seconds": round(seconds, 2),
        "nats": round(nats, 4),
        "nats_per_character": round(nats_per_character(nats, tokens), 4),
        "parameters": model.n_parameters(),
        "sample": continue_text(model, tokenizer(tokens), "", SAMPLE, seed=seed),
    }


EXPERIMENT = Experiment(
    name="pieces",
    chapter=11,
    description="language models of docstrings: characters or byte pairs, tied embeddings or separate ones",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        "optimizer": "Adam",
        "schedule": "50 steps of warm-up, linear to 0",
        "window": WINDOW,
        "batch": ROWS,
        "d_model": 64,
        "n_layers": 2,
        "test": N_TEST,
    },
    data=lambda: {"name": "docstrings", "sha256": docstrings().sha256},
    conditions=(
        *(
            {"tokens": "bpe", "tied": tied, "rate": rate, "steps": steps, "text": None}
            for steps, rate in ((40, 0.01), (STEPS, 0.003), (STEPS, 0.01))
            for tied in (True, False)
        ),
        *(
            {"tokens": "characters", "tied": True, "rate": 0.01, "steps": STEPS, "text": text}
            for text in (SHORT, None)
        ),
        {"tokens": "characters", "tied": True, "rate": 0.01, "steps": LONGER, "text": None},
    ),
)
