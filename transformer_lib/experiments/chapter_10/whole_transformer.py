"""A whole Transformer, trained on the tales in half a minute: the end of chapter 10.

:class:`Transformer` is the language model of Part II in a dozen lines, made of the library's blocks; the
chapter proves it equal to :class:`~transformer_lib.transformer.language_model.DecoderLM`.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.data import TALES, Corpus, load_tales
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.initialization import embedding
from transformer_lib.transformer.block import LayerNorm, TransformerBlock
from transformer_lib.transformer.masks import Mask

__all__ = [
    "EXPERIMENT",
    "STEPS",
    "Transformer",
    "fit",
    "measure",
    "picture",
    "read",
    "sample",
    "story_with_thanks",
    "tales",
    "test_loss",
    "train",
    "validation",
]

STEPS = 800
STD = 0.02
NOT_SCORED = -100


@cache
def tales() -> Corpus:
    """The stories of chapter 1."""
    return load_tales(n_train=4000, n_valid=0, n_test=300, seed=0)


@cache
def validation() -> Sequence[str]:
    """Stories that are neither trained on nor tested."""
    return load_tales(n_train=100, n_valid=0, n_test=0, seed=1).train


class Transformer(nn.Module):
    """Words and places, pre-norm blocks, a last LayerNorm, and the words' vectors again as the head.

    Source: N12, N12a, N9
    """

    def __init__(
        self,
        vocab_size: int,
        n_places: int,
        *,
        d_model: int = 48,
        n_heads: int = 4,
        n_layers: int = 2,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        start: dict[str, Any] = {"std": STD, "generator": generator}
        self.words = embedding(vocab_size, d_model, **start)
        self.places = embedding(n_places, d_model, **start)
        start["join_std"] = STD / (2 * n_layers) ** 0.5
        self.blocks = nn.ModuleList()
        for _ in range(n_layers):
            block = TransformerBlock(d_model, n_heads, **start)
            self.blocks.append(block)
        self.final_norm = LayerNorm(d_model)

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each."""
        x = self.words(tokens) + self.places.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x, Mask.causal())
        return self.final_norm(x) @ self.words.weight.T


def read(stories: Sequence[str]) -> tuple[Int[Tensor, "stories time"], Int[Tensor, "stories time"]]:
    """What the model reads and what it predicts: each story between two end tokens, padded behind."""
    vocabulary = tales().tokenizer
    end = vocabulary.end_token
    rows = [torch.tensor([end, *vocabulary.encode(story), end]) for story in stories]
    inputs = nn.utils.rnn.pad_sequence([row[:-1] for row in rows], batch_first=True)
    targets = nn.utils.rnn.pad_sequence([row[1:] for row in rows], batch_first=True, padding_value=NOT_SCORED)
    return inputs, targets


def fit(
    model: nn.Module,
    generator: torch.Generator,
    *,
    steps: int = STEPS,
    rate: float = 0.01,
    batch: int = 8,
    warmup: int = 50,
    stories: Sequence[str] | None = None,
) -> None:
    """Take so many steps of Adam on the stories, the rate rising for ``warmup`` steps and falling to 0."""
    inputs, targets = read(tales().train if stories is None else stories)
    lengths = (targets != NOT_SCORED).sum(1)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / max(warmup, 1)) * (1 - step / steps)
    )
    for _ in range(steps):
        some = torch.randint(len(inputs), (batch,), generator=generator)
        longest = int(lengths[some].max())
        logits = model(inputs[some, :longest]).flatten(0, 1)
        target = targets[some, :longest].flatten()
        loss = F.cross_entropy(logits, target, ignore_index=NOT_SCORED)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


def train(seed: int, *, steps: int = STEPS, rate: float = 0.01, batch: int = 8) -> Transformer:
    """A Transformer of this module, trained on the stories by :func:`fit`."""
    generator = torch.Generator().manual_seed(seed)
    model = Transformer(tales().tokenizer.vocab_size, TALES.longest() + 1, generator=generator)
    fit(model, generator, steps=steps, rate=rate, batch=batch)
    return model


@torch.no_grad()
def test_loss(model: nn.Module, stories: Sequence[str] | None = None) -> float:
    """Nats per token on these stories; by default on the test stories, which chapter 1 scores too."""
    inputs, targets = read(tales().test if stories is None else stories)
    total = sum(
        F.cross_entropy(
            model(some).flatten(0, 1), next_.flatten(), ignore_index=NOT_SCORED, reduction="sum"
        ).item()
        for some, next_ in zip(inputs.split(50), targets.split(50))
    )
    return total / int((targets != NOT_SCORED).sum())


@torch.no_grad()
def sample(model: nn.Module, seed: int, *, most: int = 120) -> str:
    """A story: one word at a time, each drawn from the model's distribution, until the end token."""
    vocabulary = tales().tokenizer
    generator = torch.Generator().manual_seed(seed)
    story = [vocabulary.end_token]
    while len(story) <= most:
        probabilities = model(torch.tensor([story]))[0, -1].softmax(-1)
        story.append(int(torch.multinomial(probabilities, 1, generator=generator)))
        if story[-1] == vocabulary.end_token:
            return vocabulary.decode(story[1:-1])
    return vocabulary.decode(story[1:])


def story_with_thanks() -> list[str]:
    """The words of the story that opens chapter 1, up to where the hero is thanked by name."""
    story = next(
        text.split()
        for text in tales().test
        if len(text.split()) < 75 and text.startswith("once") and "thank you" in text
    )
    return story[: story.index("thank") + 4]


@torch.no_grad()
def picture(model: Any) -> dict[str, Any]:
    """The numbers of a prediction, from the tokens to the loss, at the last word of ``story_with_thanks``.

    The model has the parts of :class:`Transformer`, under the same names. Vectors are the first
    three features of the place that predicts.
    """
    *words, target = story_with_thanks()
    vocabulary = tales().tokenizer
    tokens = torch.tensor([[vocabulary.end_token, *vocabulary.encode(" ".join(words))]])
    place = tokens.shape[1] - 1

    def first(z: Tensor) -> list[float]:
        return [round(value, 2) for value in z[..., place, :3].flatten().tolist()]

    word, x = model.words(tokens), model.words(tokens) + model.places.weight[: place + 1]
    points = {"word": first(word), "place": first(model.places.weight), "sum": first(x)}
    for n, block in enumerate(model.blocks, start=1):
        u = x + block.attention(block.attention_norm(x), None, Mask.causal())
        x = block(x, Mask.causal())
        points |= {f"u {n}": first(u), f"z {n}": first(x)}
    points["normed"] = first(model.final_norm(x))
    logits = model(tokens)[0, place]
    probabilities = logits.softmax(-1)
    best = probabilities.topk(3)
    answer = vocabulary.encode(target)[0]
    return {
        "read": words,
        "tokens": tokens[0].tolist(),
        "points": points,
        "logits": [round(value, 2) for value in logits[best.indices].tolist()],
        "likely": [
            [vocabulary.decode([token]), round(value, 4)]
            for token, value in zip(best.indices.tolist(), best.values.tolist())
        ],
        "target": target,
        "nats": round(-probabilities[answer].log().item(), 4),
    }


def measure(seed: int, folder: Path | None = None, *, steps: int) -> dict[str, Any]:
    """Nats per token on the test stories, samples, and the numbers of one prediction."""
    model = train(seed, steps=steps)
    return {
        "nats": round(test_loss(model), 4),
        "samples": [sample(model, n) for n in range(2)],
        "picture": picture(model),
    }


EXPERIMENT = Experiment(
    name="whole-transformer",
    chapter=10,
    description="a Transformer of two blocks, trained on the tales in half a minute",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "optimizer": "Adam",
        "rate": 0.01,
        "schedule": "50 steps of warm-up, linear to 0",
        "batch": 8,
        "d_model": 48,
        "n_heads": 4,
        "n_layers": 2,
    },
    data=lambda: {"name": "tales", "sha256": tales().sha256},
    conditions=({"steps": STEPS // 4}, {"steps": STEPS}),
)
