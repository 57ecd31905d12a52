"""One output or all of them: where a classifier is read, and where its answer can be found afterwards.

An encoder reads the first 40 words of a tale, in which the hero finds an object, and says of what quality
the object is (*golden*, *old*, ...): an experiment of chapter 11. Other things in the tale are golden, too.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.data import TALES
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared.small_tales import tales
from transformer_lib.transformer.encoder_decoder import Classifier
from transformer_lib.transformer.language_model import TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.stack import embed

__all__ = [
    "EXPERIMENT",
    "MASKS",
    "READOUTS",
    "WORDS",
    "build",
    "head_at_each",
    "measure",
    "openings",
    "outputs",
    "probe_at_each",
    "read",
    "train",
]

READOUTS: dict[str, Callable[[Tensor], Tensor]] = {
    "last": lambda z: z[:, -1],
    "first": lambda z: z[:, 0],
    "mean": lambda z: z.mean(1),
}
"""What the head reads of the outputs at all places."""

MASKS = {"none": None, "causal": Mask.causal()}
WORDS = 40
QUALITIES, OBJECTS = ([row[0] for row in TALES.facts[number].rows] for number in (2, 3))


def read(stories: Sequence[str]) -> tuple[Int[Tensor, "stories words"], Int[Tensor, "stories"]]:
    """The first words of each story, and the quality of its object: the word before the object."""
    texts = [story.split()[:WORDS] for story in stories]
    tokens = torch.tensor([tales().tokenizer.encode(" ".join(text)) for text in texts])
    places = [next(i for i, word in enumerate(text) if word in OBJECTS) for text in texts]
    labels = [QUALITIES.index(text[place - 1]) for text, place in zip(texts, places)]
    return tokens, torch.tensor(labels)


@cache
def openings(part: str) -> tuple[Int[Tensor, "stories words"], Int[Tensor, "stories"]]:
    """Tokens and labels of the stories to ``train`` on, or of the ``test``."""
    return read(getattr(tales(), part))


def build(generator: torch.Generator) -> Classifier:
    """An encoder and a head with random weights."""
    config = TransformerConfig(
        vocab_size=tales().tokenizer.vocab_size, context_length=WORDS, d_model=32, n_layers=2
    )
    return Classifier(config, len(QUALITIES), generator=generator)


def outputs(
    model: Classifier, tokens: Int[Tensor, "stories words"], mask: str = "none"
) -> Float[Tensor, "stories words d_model"]:
    """The encoder's output at each place; a causal mask leaves a place those before it and itself."""
    x = embed(model.encoder.token_embedding, tokens, model.config, model.training)
    return model.encoder.stack(x, MASKS[mask])


def train(seed: int, *, readout: str, mask: str = "none", rate: float, steps: int) -> Classifier:
    """A classifier after so many steps of Adam, the rate rising for 50 steps and falling to 0."""
    generator = torch.Generator().manual_seed(seed)
    model, chosen = build(generator), READOUTS[readout]
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 50) * (1 - step / max(steps, 1))
    )
    tokens, labels = openings("train")
    for _ in range(steps):
        some = torch.randint(len(tokens), (16,), generator=generator)
        logits = model.head(chosen(outputs(model, tokens[some], mask)))
        loss = F.cross_entropy(logits, labels[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model


@torch.no_grad()
def head_at_each(model: Classifier, mask: str = "none") -> Float[Tensor, "words"]:
    """The share of right answers on the test when the trained head reads each place alone."""
    tokens, labels = openings("test")
    return (model.head(outputs(model, tokens, mask)).argmax(-1) == labels[:, None]).double().mean(0)


@torch.no_grad()
def probe_at_each(model: Classifier, mask: str = "none") -> Float[Tensor, "words"]:
    """The share of right answers on the test of a linear map of its own for each place.

    It is fitted by least squares, with a little ridge, on the outputs for the training stories.
    """
    shares = []
    (known, labels), (unseen, right) = openings("train"), openings("test")
    fitted, tested = (
        F.pad(outputs(model, tokens, mask), (0, 1), value=1.0).double() for tokens in (known, unseen)
    )
    goal = F.one_hot(labels, len(QUALITIES)).double()
    for place in range(WORDS):
        z = fitted[:, place]
        ridge = 1e-3 * len(z) * torch.eye(z.shape[1], dtype=z.dtype)
        found = torch.linalg.solve(z.T @ z + ridge, z.T @ goal)
        shares.append((tested[:, place] @ found).argmax(-1).eq(right).double().mean())
    return torch.stack(shares)


def measure(
    seed: int, folder: Path | None = None, *, readout: str, mask: str, rate: float, steps: int
) -> dict[str, Any]:
    """The share of right answers on the test, and how well the answer can be read at each place."""
    model = train(seed, readout=readout, mask=mask, rate=rate, steps=steps)
    tokens, labels = openings("test")
    with torch.no_grad():
        logits = model.head(READOUTS[readout](outputs(model, tokens, mask)))
    head, probe = (found(model, mask).tolist() for found in (head_at_each, probe_at_each))
    return {
        "right": round((logits.argmax(-1) == labels).double().mean().item(), 4),
        "nats": round(F.cross_entropy(logits, labels).item(), 4),
        "head": [round(share, 4) for share in head],
        "probe": [round(share, 4) for share in probe],
        "worst": {"head": round(min(head), 4), "probe": round(min(probe), 4)},
    }


EXPERIMENT = Experiment(
    name="readouts",
    chapter=11,
    description="a classifier that is read at its last place, at its first, or on average",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        "optimizer": "Adam",
        "schedule": "50 steps of warm-up, linear to 0",
        "batch": 16,
        "words": WORDS,
        "d_model": 32,
        "n_layers": 2,
    },
    data=lambda: {"name": "tales", "sha256": tales().sha256},
    conditions=(
        {"readout": "last", "mask": "none", "rate": 0.003, "steps": 0},
        {"readout": "last", "mask": "causal", "rate": 0.01, "steps": 600},
        *(
            {"readout": readout, "mask": "none", "rate": rate, "steps": steps}
            for steps in (150, 600)
            for rate in (0.003, 0.01)
            for readout in READOUTS
        ),
    ),
)
