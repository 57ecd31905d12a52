"""Sampled tales, scored by the grammar that the model has learnt from: chapter 14.

A small Transformer tells stories at several temperatures, and with the tails of its distributions cut off by
top-k and top-p. The grammar knows the exact probability of each word, and which words are impossible.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.data import TALES
from transformer_lib.data.tokenizers import END
from transformer_lib.decoding.sampling import generate, top_k_filter, top_p_filter
from transformer_lib.experiments.chapter_10 import whole_transformer
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

__all__ = [
    "EXPERIMENT",
    "N_STORIES",
    "SETTINGS",
    "STEPS",
    "Told",
    "filtered",
    "label",
    "measure",
    "of_source",
    "tell",
    "train",
]

STEPS = (200, 800)
N_STORIES = 100
TEMPERATURES = (0.3, 0.5, 0.7, 1.0, 1.3)
SETTINGS: tuple[dict[str, Any], ...] = (
    *({"temperature": tau} for tau in TEMPERATURES),
    *({"top_k": k} for k in (3, 10, 30)),
    *({"top_p": p} for p in (0.5, 0.8, 0.95)),
)
"""The ways to sample that are compared."""


def label(setting: dict[str, Any]) -> str:
    """What the record calls a setting, such as ``top_k 5``."""
    ((name, value),) = setting.items()
    return f"{name} {value:g}"


def train(seed: int, *, steps: int = STEPS[0]) -> DecoderLM:
    """A language model of two blocks of width 48, trained on the tales as the one that ends chapter 10."""
    generator = torch.Generator().manual_seed(seed)
    words = whole_transformer.tales().tokenizer
    config = TransformerConfig(
        vocab_size=words.vocab_size,
        start_token=words.end_token,
        context_length=TALES.longest() + 1,
        d_model=48,
        n_heads=4,
        n_layers=2,
    )
    model = DecoderLM(config, generator=generator)
    whole_transformer.fit(model, generator, steps=steps)
    return model.eval()


def filtered(
    logits: Float[Tensor, "*batch vocab"],
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Float[Tensor, "*batch vocab"]:
    """The log-probabilities that :func:`~transformer_lib.decoding.sampling.generate` draws from."""
    logits = logits / temperature
    if top_k is not None:
        logits = top_k_filter(logits, top_k)
    if top_p is not None:
        logits = top_p_filter(logits, top_p)
    return logits.log_softmax(-1)


class Told(NamedTuple):
    """One story as the grammar sees it."""

    tokens: int
    """Its length, the end token included."""

    nats: float
    r"""What it cost the sampler: :math:`-\log q`, whose mean is the sampler's entropy."""

    possible: int
    """Tokens before the first one that the grammar cannot produce there."""

    source_nats: float
    r"""What these tokens cost under the grammar: :math:`-\log p`."""

    @property
    def is_possible(self) -> bool:
        """Whether the grammar can tell this story, to its end."""
        return self.possible == self.tokens


def of_source(words: Sequence[str]) -> tuple[int, float]:
    """How many of these words the grammar can produce in this order, and what they cost, in nats."""
    possible, nats = 0, 0.0
    try:
        for count, (log_prob, _) in enumerate(TALES._read(list(words))):
            possible, nats = count, nats - log_prob
    except ValueError:
        pass
    return possible, nats


@torch.no_grad()
def tell(model: DecoderLM, n: int, seed: int = 0, **setting: Any) -> tuple[list[str], list[Told]]:
    """Sample ``n`` stories with :func:`~transformer_lib.decoding.sampling.generate`, and score each."""
    words = whole_transformer.tales().tokenizer
    generator = torch.Generator().manual_seed(seed)
    nothing = torch.empty(n, 0, dtype=torch.long)
    longest = TALES.longest()
    tokens = generate(model, nothing, longest, end_token=words.end_token, generator=generator, **setting)
    costs = -_chosen(model, tokens, **setting)
    ended = (tokens == words.end_token).cumsum(1)
    lengths = ((ended == 0).sum(1) + 1).clamp(max=longest).tolist()
    stories, told = [], []
    for row, cost, length in zip(tokens, costs, lengths):
        ids = row[:length].tolist()
        texts = [END if token == words.end_token else words.decode([token]) for token in ids]
        stories.append(" ".join(text for text in texts if text != END))
        told.append(Told(length, float(cost[:length].sum()), *of_source(texts)))
    return stories, told


def _chosen(model: DecoderLM, tokens: Int[Tensor, "n time"], **setting: Any) -> Float[Tensor, "n time"]:
    """The log-probability with which each token was drawn."""
    start = torch.full_like(tokens[:, :1], model.start_token)
    inputs = torch.cat([start, tokens[:, :-1]], 1)
    return torch.cat(
        [
            filtered(model.logits(some), **setting).gather(2, drawn[..., None])[..., 0]
            for some, drawn in zip(inputs.split(50), tokens.split(50))
        ]
    )


def measure(
    seed: int, folder: Path | None = None, *, steps: int, n_stories: int = N_STORIES
) -> dict[str, Any]:
    """For each of the ``SETTINGS``: how varied the stories are, and how many are possible.

    ``entropy`` and ``source`` are nats per token of the sampler and of the grammar; the latter counts the
    tokens before the first impossible one. ``possible`` is the share of stories that the grammar can tell,
    and ``slips`` the impossible words per 1,000 tokens that were read up to them.
    """
    model = train(seed, steps=steps)
    result: dict[str, Any] = {"test": round(whole_transformer.test_loss(model), 4)}
    for setting in SETTINGS:
        _, told = tell(model, n_stories, seed, **setting)
        slips = sum(story.possible < story.tokens for story in told)
        read = sum(story.possible for story in told)
        result[label(setting)] = {
            "entropy": round(sum(story.nats for story in told) / sum(story.tokens for story in told), 4),
            "possible": sum(story.is_possible for story in told) / len(told),
            "source": round(sum(story.source_nats for story in told) / max(1, read), 4),
            "slips": round(1000 * slips / (read + slips), 3),
            "tokens": round(sum(story.tokens for story in told) / len(told), 2),
        }
    return result


EXPERIMENT = Experiment(
    name="sampled-tales",
    chapter=14,
    description="stories sampled at several temperatures, top-k and top-p, scored by their exact source",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        "optimizer": "Adam",
        "rate": 0.01,
        "batch": 8,
        "d_model": 48,
        "n_heads": 4,
        "n_layers": 2,
        "stories": N_STORIES,
        "settings": [label(setting) for setting in SETTINGS],
    },
    data=lambda: {"name": "tales", "sha256": whole_transformer.tales().sha256},
    conditions=tuple({"steps": steps} for steps in STEPS),
)
