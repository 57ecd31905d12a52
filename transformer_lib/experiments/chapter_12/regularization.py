"""Dropout by its places, augmentation, penalties and width on small corpora: experiments of chapter 12.

All models are a :class:`~transformer_lib.transformer.language_model.DecoderLM` of two blocks that reads few
texts many times, so that it can overfit. A run is measured at several lengths of training: on the text that
it trains on, on other text that says where to stop, and on the test.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.data import Tokenizer, WordPunctTokenizer, token_stream
from transformer_lib.experiments.chapter_10 import whole_transformer
from transformer_lib.experiments.chapter_10.whole_transformer import validation
from transformer_lib.experiments.chapter_11.word_pieces import docstrings
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales
from transformer_lib.losses import smoothed_cross_entropy
from transformer_lib.training.optimizer import parameter_groups
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

__all__ = [
    "AUGMENTATION",
    "AUGMENTATIONS",
    "DROPOUT",
    "FEW",
    "LONG_POINTS",
    "MANY",
    "NARROW",
    "PENALTIES",
    "POINTS",
    "RATES",
    "SITES",
    "WIDENING",
    "WIDTH",
    "Text",
    "best",
    "build",
    "docstring_words",
    "drop_at",
    "losses",
    "measure_augmentation",
    "measure_dropout",
    "measure_penalty",
    "measure_width",
    "stories",
    "tokenizer",
    "train",
]

SITES = ("input", "weights", "attended", "inner", "output")
"""The places of dropout: words with their positions, and those of S15, S16, S17 and S18."""

BLOCK = SITES[1:]
FEW, MANY = 25, 4000
"""Stories of a small corpus, and of a large one."""

RATES = (0.003, 0.01)
POINTS = (100, 150, 200, 300, 450)
LONG_POINTS = (100, 200, 300, 450, 600, 900)
"""Steps after which a run is measured, on the tales and on the docstrings."""

BATCH, WINDOW, N_LAYERS, WARM_UP = 8, 32, 2, 50
WIDTH, NARROW = 64, 16
UNSEEN, DOCSTRINGS, UNSEEN_DOCSTRINGS = 40, 20, 8

AUGMENTATIONS: dict[str, dict[str, float]] = {
    "plain": {},
    "input": {"words": 1.0},
    "dimensions": {"dimensions": 1.0},
    "input and dimensions": {"words": 1.0, "dimensions": 1.0},
}
"""What of the input is hidden: words (input dropout), dimensions (the slides' embedding dropout) or both."""


class Text(NamedTuple):
    """Three streams of tokens, and how many different tokens there are."""

    train: Int[Tensor, "tokens"]
    valid: Int[Tensor, "tokens"]
    test: Int[Tensor, "tokens"]
    vocab_size: int


def _text(parts: tuple[Sequence[str], ...], words: Tokenizer) -> Text:
    train, valid, test = (torch.from_numpy(token_stream(part, words)) for part in parts)
    return Text(train, valid, test, words.vocab_size)


@cache
def stories(n_train: int = FEW) -> Text:
    """Tales: so many to train on, and 40 for each of the other parts."""
    words = whole_transformer.tales().tokenizer
    parts = (
        whole_transformer.tales().train[:n_train],
        validation()[:UNSEEN],
        whole_transformer.tales().test[:UNSEEN],
    )
    return _text(parts, words)


@cache
def tokenizer() -> WordPunctTokenizer:
    """Words and marks that occur twice or more in the docstrings to train on; all others are unknown."""
    fitted = WordPunctTokenizer.fit(docstrings().train[:DOCSTRINGS], unknown=True, min_count=2)
    assert isinstance(fitted, WordPunctTokenizer)
    return fitted


@cache
def docstring_words() -> Text:
    """NumPy's docstrings in words and marks: 20 to train on, and 8 for each of the other parts."""
    corpus, words = docstrings(), tokenizer()
    parts = (
        corpus.train[:DOCSTRINGS],
        corpus.valid[:UNSEEN_DOCSTRINGS],
        corpus.test[:UNSEEN_DOCSTRINGS],
    )
    return _text(parts, words)


def drop_at(model: DecoderLM, sites: dict[str, float]) -> None:
    """Give each of the :data:`SITES` its own probability of dropping; those not named drop nothing."""
    model.stack.dropout.p = sites.get("input", 0.0)
    for block in model.stack.blocks:
        block.attention.dropout = sites.get("weights", 0.0)
        block.attention.output_dropout = sites.get("attended", 0.0)
        block.feed_forward.dropout.p = sites.get("inner", 0.0)
        block.feed_forward.output_dropout = sites.get("output", 0.0)


def build(vocab_size: int, generator: torch.Generator, width: int = WIDTH, **options: Any) -> DecoderLM:
    """A model of two pre-norm blocks of four heads that drops nothing."""
    config = TransformerConfig(
        vocab_size=vocab_size,
        context_length=WINDOW,
        d_model=width,
        n_heads=4,
        n_layers=N_LAYERS,
        **options,
    )
    return DecoderLM(config, generator=generator)


def train(
    seed: int,
    text: Text,
    *,
    rate: float,
    sites: dict[str, float] | None = None,
    smoothing: float = 0.0,
    decay: float = 0.0,
    width: int = WIDTH,
    points: tuple[int, ...] = POINTS,
    **options: Any,
) -> dict[str, dict[str, float]]:
    """Nats per token on the three parts after each of ``points`` steps.

    AdamW, with the rate rising for 50 steps and then constant. ``options`` are the configuration's.
    """
    generator = torch.Generator().manual_seed(seed)
    model = build(text.vocab_size, generator, width, **options)
    drop_at(model, sites or {})
    optimizer = torch.optim.AdamW(parameter_groups(model, decay), lr=rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / WARM_UP))
    torch.manual_seed(seed)  # for dropout, which takes no generator
    found = {}
    for step in range(1, points[-1] + 1):
        inputs, targets = small_tales.draw(text.train, BATCH, WINDOW, generator)
        loss = smoothed_cross_entropy(model.logits(inputs), targets, smoothing)
        small_tales.take_step(optimizer, loss)
        schedule.step()
        if step in points:
            found[str(step)] = losses(model, text)
    return found


@torch.no_grad()
def losses(model: DecoderLM, text: Text) -> dict[str, float]:
    """Nats per token on each part, in separate windows; the training part is cut to the test's size."""
    model.eval()
    parts = {"train": text.train[: len(text.test)], "valid": text.valid, "test": text.test}
    found = {
        name: round(small_tales.nats(model.logits, *small_tales.cut(part, WINDOW)).item(), 4)
        for name, part in parts.items()
    }
    model.train()
    return found


def best(found: dict[str, dict[str, float]]) -> dict[str, Any]:
    """The run's curve, and its losses at the step that has the least on the validation part."""
    stop = min(found, key=lambda step: found[step]["valid"])
    last = list(found)[-1]
    return {
        "valid": found[stop]["valid"],
        "test": found[stop]["test"],
        "stop": int(stop),
        "last": found[last]["test"],
        "at": found,
    }


def measure_dropout(
    seed: int, folder: Path | None = None, *, site: str, dropout: float, rate: float
) -> dict[str, Any]:
    """A model of few stories with dropout at one of the :data:`SITES`, at ``"all"`` or at ``"none"``."""
    sites = dict.fromkeys(SITES, dropout) if site == "all" else {site: dropout}
    return best(train(seed, stories(), rate=rate, sites=sites))


def measure_penalty(
    seed: int, folder: Path | None = None, *, smoothing: float, decay: float, dropout: float, rate: float
) -> dict[str, Any]:
    """A model of few stories with label smoothing, weight decay, and dropout at all sites."""
    sites = dict.fromkeys(SITES, dropout)
    return best(train(seed, stories(), rate=rate, sites=sites, smoothing=smoothing, decay=decay))


def measure_width(
    seed: int, folder: Path | None = None, *, width: int, dropout: float, n_stories: int, rate: float
) -> dict[str, Any]:
    """A model of some width, with dropout at all sites, of few stories or of many."""
    sites = dict.fromkeys(SITES, dropout)
    return best(train(seed, stories(n_stories), rate=rate, sites=sites, width=width))


def measure_augmentation(
    seed: int,
    folder: Path | None = None,
    *,
    hidden: str,
    share: float,
    dropout: float,
    rate: float,
    points: tuple[int, ...] = LONG_POINTS,
) -> dict[str, Any]:
    """A model of words of docstrings, some of whose input is hidden: a name in :data:`AUGMENTATIONS`."""
    what = AUGMENTATIONS[hidden]
    sites = dict.fromkeys(BLOCK, dropout) | {"input": share * what.get("dimensions", 0.0)}
    return best(
        train(
            seed,
            docstring_words(),
            rate=rate,
            sites=sites,
            points=points,
            input_dropout=share * what.get("words", 0.0),
        )
    )


def _tales() -> dict[str, Any]:
    return {"name": "tales", "sha256": whole_transformer.tales().sha256}


CONFIG: dict[str, Any] = {
    "optimizer": "AdamW",
    "schedule": "warm-up for 50 steps, then constant",
    "batch": BATCH,
    "window": WINDOW,
    "n_layers": N_LAYERS,
    "steps": POINTS,
}

DROPOUT = Experiment(
    name="dropout-sites",
    chapter=12,
    description="dropout at each of its places and at all, on 25 stories",
    measure=measure_dropout,
    seeds=(0, 1, 2),
    config=CONFIG | {"d_model": WIDTH, "stories": FEW},
    data=_tales,
    conditions=(
        *(
            {"site": site, "dropout": dropout, "rate": rate}
            for site, dropout in (("none", 0.0), ("all", 0.1))
            for rate in RATES
        ),
        *({"site": site, "dropout": 0.2, "rate": 0.003} for site in SITES),
    ),
)

AUGMENTATION = Experiment(
    name="augmentations",
    chapter=12,
    description="words and dimensions hidden from the input, on 20 docstrings in words",
    measure=measure_augmentation,
    seeds=(0, 1, 2),
    config=CONFIG | {"d_model": WIDTH, "docstrings": DOCSTRINGS, "steps": LONG_POINTS},
    data=lambda: {"name": "docstrings", "sha256": docstrings().sha256},
    conditions=(
        *(
            {"hidden": hidden, "share": 0.2 if what else 0.0, "dropout": 0.2, "rate": 0.01}
            for hidden, what in AUGMENTATIONS.items()
        ),
        {"hidden": "plain", "share": 0.0, "dropout": 0.2, "rate": 0.003},
        {"hidden": "input and dimensions", "share": 0.2, "dropout": 0.2, "rate": 0.003},
        {"hidden": "plain", "share": 0.0, "dropout": 0.0, "rate": 0.003},
    ),
)

WIDENING = Experiment(
    name="widths",
    chapter=12,
    description="narrow and wide models without and with dropout, on 25 stories and on 4,000",
    measure=measure_width,
    seeds=(0, 1, 2),
    config=CONFIG,
    data=_tales,
    conditions=(
        *(
            {"width": NARROW, "dropout": dropout, "n_stories": FEW, "rate": rate}
            for dropout in (0.0, 0.1)
            for rate in RATES
        ),
        *({"width": width, "dropout": 0.0, "n_stories": MANY, "rate": 0.01} for width in (NARROW, WIDTH)),
    ),
)

PENALTIES = Experiment(
    name="penalties",
    chapter=12,
    description="label smoothing and weight decay, on 25 stories",
    measure=measure_penalty,
    seeds=(0, 1, 2),
    config=CONFIG | {"d_model": WIDTH, "stories": FEW},
    data=_tales,
    conditions=tuple(
        {"smoothing": smoothing, "decay": decay, "dropout": 0.0, "rate": 0.003}
        for smoothing, decay in ((0.1, 0.0), (0.0, 1.0), (0.0, 10.0))
    ),
)
