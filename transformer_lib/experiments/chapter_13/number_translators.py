"""Encoder-decoders after Stratos that translate the number words of chapter 5, and what their training needs.

Chapter 13 trains one in its notebook. Its experiments compare warm-up and the place of the normalization,
two sizes and rates of dropout, and the recurrent translator of chapter 5 on the same pairs.
"""

import time
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from transformer_lib.experiments.chapter_05 import bottleneck
from transformer_lib.experiments.chapter_05.bottleneck import DIGITS, Pairs
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.losses import IGNORED_TARGET
from transformer_lib.training.schedules import learning_rate_factor
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder

__all__ = [
    "BESIDE",
    "FEW",
    "MODELS",
    "RATES",
    "SIZES",
    "SIZING",
    "SIZING_RATES",
    "SIZING_STEPS",
    "STEPS",
    "WARM",
    "WARMUP",
    "build",
    "draw",
    "factor",
    "fit",
    "nats",
    "some",
    "train",
]

STEPS = (200, 400)
SCHEDULE = "inverse-sqrt"
WARM = 100
RATES = (0.001, 0.003, 0.01)
SIZING_RATES = (0.003,)
SIZING_STEPS = (150, 300)
FEW = 60
MODELS = ("Transformer", "Transformer, embeddings not scaled", "recurrent")
SIZES: dict[str, dict[str, Any]] = {
    "base": {"d_model": 32, "n_heads": 2},
    "big": {"d_model": 64, "n_heads": 4},
}
"""The second has twice the width and twice the heads, as Stratos' two models have."""


def build(seed: int, unit: str = "parts", **options: Any) -> EncoderDecoder:
    """A small encoder-decoder of Stratos' form for the number words.

    Like his, it is post-norm with ReLU, biases and sinusoidal positions. Unlike his, its embeddings are
    multiplied by the root of their width, and its LayerNorm is the usual one. Options of the configuration
    may say otherwise.
    """
    source, target = bottleneck.tokenizers(unit)
    shape: dict[str, Any] = {"d_model": 64, "n_heads": 4, "n_layers": 2, "context_length": 64}
    form = {"norm_eps": 1e-5, "norm_eps_on": "variance", "scale_embeddings": True, "dropout": 0.0}
    vocabularies = {"vocab_size": target.vocab_size, "source_vocab_size": source.vocab_size}
    config = TransformerConfig.preset("base", **(shape | form | vocabularies | options))
    return EncoderDecoder(config, generator=torch.Generator().manual_seed(seed))


def factor(step: int, warmup: int, is_warmed: bool = True) -> float:
    """What the peak rate is multiplied by at ``step`` = 0, 1, ...: the schedule of Vaswani et al. (2017).

    Without warm-up it is 1 for as many steps, and the same after them.
    """
    if not is_warmed and step + 1 < warmup:
        return 1.0
    return learning_rate_factor(SCHEDULE, step, steps=0, warmup_steps=warmup)


def draw(train: dict[int, Pairs], generator: torch.Generator, n: int = bottleneck.BATCH) -> Pairs:
    """A batch of pairs: for each, a number of digits is drawn, and then one of its sources.

    Where :func:`~transformer_lib.experiments.chapter_05.bottleneck.draw` gives one length, these are filled
    up.
    """
    chosen = torch.randint(len(train), (n,), generator=generator)
    counts = torch.bincount(chosen, minlength=len(train)).tolist()
    found = [
        pairs.rows(torch.randint(len(pairs.lengths), (count,), generator=generator))
        for pairs, count in zip(train.values(), counts)
        if count
    ]
    width, time = (max(part[place].shape[1] for part in found) for place in (0, 3))

    def joined(place: int, to: int, filler: int) -> Tensor:
        parts = (part[place] for part in found)
        return torch.cat([F.pad(p, (0, to - p.shape[1]), value=filler) for p in parts])

    lengths = torch.cat([part.lengths for part in found])
    return Pairs(joined(0, width, 0), lengths, joined(2, time, 0), joined(3, time, IGNORED_TARGET))


def nats(model: EncoderDecoder, pairs: Pairs) -> Float[Tensor, ""]:
    """The mean loss per word that is to be written, ends included."""
    logits = model(pairs.source, pairs.inputs, pairs.lengths).transpose(1, 2)
    return F.cross_entropy(logits, pairs.targets, ignore_index=IGNORED_TARGET)


def fit(
    model: EncoderDecoder,
    train: dict[int, Pairs],
    *,
    seed: int,
    rate: float,
    steps: int,
    warmup: int = WARM,
    is_warmed: bool = True,
) -> Iterator[int]:
    """Train with Adam as in Vaswani et al. (2017), section 5.3; yields the number of steps after each."""
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)  # for dropout, which takes no generator
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), eps=1e-9, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, partial(factor, warmup=warmup, is_warmed=is_warmed)
    )
    for step in range(1, steps + 1):
        model.train()
        loss = nats(model, draw(train, generator))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        yield step


@cache
def some(n: int) -> dict[int, Pairs]:
    """The first ``n`` training pairs of each length, or as many as there are."""
    return {digits: as_parts(bottleneck.words(digits)[0][:n]) for digits in DIGITS}


as_parts = partial(bottleneck.as_pairs, unit="parts")


@torch.no_grad()
def loss_on(model: EncoderDecoder, tested: dict[int, Pairs]) -> float:
    """The mean loss per word over all pairs."""
    counts = [int((pairs.targets != IGNORED_TARGET).sum()) for pairs in tested.values()]
    losses = [nats(model, pairs).item() for pairs in tested.values()]
    return sum(loss * count for loss, count in zip(losses, counts)) / sum(counts)


def scores(model: EncoderDecoder, tested: dict[int, Pairs]) -> dict[str, float]:
    """The shares of right translations by the number of digits, their mean, and the loss."""
    model.eval()
    exact = {digits: bottleneck.score(model, pairs)["exact"] for digits, pairs in tested.items()}
    found = {f"{digits} digits": round(share, 4) for digits, share in exact.items()}
    found["exact"] = round(sum(exact.values()) / len(exact), 4)
    return found | {"nats": round(loss_on(model, tested), 4)}


def train(
    seed: int,
    *,
    rate: float = 0.003,
    steps: tuple[int, ...] = STEPS,
    unit: str = "parts",
    n_train: int | None = None,
    warmup: int = WARM,
    is_warmed: bool = True,
    **options: Any,
) -> tuple[EncoderDecoder, dict[str, Any]]:
    """Train a translator that :func:`build` makes; the model, and its scores after each of ``steps``.

    Parameters
    ----------
    n_train
        How many pairs of each length are read; by default all.
    warmup, is_warmed
        As for :func:`factor`.
    """
    trained, tested = bottleneck.parts(unit=unit)
    if n_train is not None:
        trained = some(n_train)
    model = build(seed, unit, **options)
    found: dict[str, Any] = {}
    started = time.process_time()
    settings: dict[str, Any] = {"rate": rate, "warmup": warmup, "is_warmed": is_warmed}
    for step in fit(model, trained, seed=seed, steps=max(steps), **settings):
        if step in steps:
            seconds = time.process_time() - started
            found[str(step)] = scores(model, tested) | {"seconds": round(seconds, 1)}
            started = time.process_time() - seconds
    return model.eval(), found


def measure_beside(seed: int, folder: Path | None = None, *, model: str) -> dict[str, Any]:
    """The scores of a translator: a Transformer, embeddings scaled or not, or a recurrent network."""
    if model == "recurrent":
        network, found = bottleneck.train(seed, variant="attention", steps=STEPS, unit="parts")
        for scored in found.values():
            scored["exact"] = round(sum(scored[f"{digits} digits"] for digits in DIGITS) / len(DIGITS), 4)
        return found | outputs_of(network)
    options: dict[str, Any] = {
        "Transformer": {},
        "Transformer, embeddings not scaled": {"scale_embeddings": False},
    }
    transformer, found = train(seed, **options[model])
    return found | outputs_of(transformer)


def outputs_of(model: bottleneck.Translates) -> dict[str, Any]:
    """What is kept beside a record: the translations of the test part, in the order of the digits."""
    tested = bottleneck.parts(unit="parts")[1]
    texts = [text for pairs in tested.values() for text in bottleneck.translations(model, pairs, "parts")]
    return {"outputs": {"translations": texts}}


def measure_warmup(
    seed: int, folder: Path | None = None, *, norm: str, is_warmed: bool, rate: float
) -> dict[str, float]:
    """The loss of a model of three and three blocks after 120 steps, with the normalization here or there."""
    shape = SIZES["base"] | {"n_layers": 3}
    model = build(seed, norm=norm, **shape)
    trained, tested = bottleneck.parts(unit="parts")
    for _ in fit(model, trained, seed=seed, rate=rate, steps=120, warmup=40, is_warmed=is_warmed):
        pass
    return {"nats": round(loss_on(model.eval(), tested), 4)}


def measure_size(
    seed: int, folder: Path | None = None, *, size: str, dropout: float, rate: float
) -> dict[str, Any]:
    """The scores of a model of one of the ``SIZES`` that has read few pairs often."""
    options = SIZES[size] | {"n_train": FEW, "dropout": dropout, "rate": rate, "steps": SIZING_STEPS}
    model, found = train(seed, **options)
    scores = {step: {name: scored[name] for name in ("nats", "exact")} for step, scored in found.items()}
    return scores | outputs_of(model)


CONFIG = {"optimizer": "Adam", "betas": [0.9, 0.98], "schedule": SCHEDULE, "batch": bottleneck.BATCH}

BESIDE = Experiment(
    name="translators",
    chapter=13,
    description="number words by a small Transformer and by the recurrent network of chapter 5",
    measure=measure_beside,
    seeds=(0, 1, 2),
    config=CONFIG | {"d_model": 64, "n_layers": 2, "rate": 0.003, "warmup": WARM},
    data=bottleneck.data,
    conditions=tuple({"model": name} for name in MODELS),
)

WARMUP = Experiment(
    name="warm-up",
    chapter=13,
    description="translators of three and three blocks, post-norm and pre-norm, with and without warm-up",
    measure=measure_warmup,
    seeds=(0, 1, 2),
    config=CONFIG | {"d_model": 32, "n_layers": 3, "steps": 120, "warmup": 40},
    data=bottleneck.data,
    conditions=tuple(
        {"norm": norm, "is_warmed": is_warmed, "rate": rate}
        for norm in ("post", "pre")
        for is_warmed in (True, False)
        for rate in RATES
    ),
)

SIZING = Experiment(
    name="base-and-big",
    chapter=13,
    description="translators of two sizes with little and much dropout that have read few pairs",
    measure=measure_size,
    seeds=(0, 1, 2),
    config=CONFIG | {"n_layers": 2, "pairs_of_each_length": FEW, "warmup": WARM},
    data=bottleneck.data,
    conditions=tuple(
        {"size": size, "dropout": dropout, "rate": rate}
        for rate in SIZING_RATES
        for size in SIZES
        for dropout in (0.1, 0.3)
    ),
)
