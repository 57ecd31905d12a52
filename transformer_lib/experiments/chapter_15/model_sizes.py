"""Sizes, shapes and starts of language models at equal compute: experiments of chapter 15.

Each run has a budget of floating-point operations, which its number of steps spends as exactly as it can. The
models read windows of the tales and are tested on whole stories, whose entropy is known: no model's loss is
lower.
"""

import math
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformer_lib.data import TALES, Corpus, load_tales, token_stream
from transformer_lib.experiments.chapter_10.whole_transformer import NOT_SCORED
from transformer_lib.experiments.chapter_15.accounting import training_flops
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.experiments.shared import small_tales
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import GPT2_STD, DecoderLM

__all__ = [
    "BUDGETS",
    "NAMED_SHAPES",
    "PLACES",
    "SHAPES",
    "SHAPE_BUDGET",
    "SIZES",
    "STARTS",
    "WIDTHS",
    "build",
    "measure",
    "measure_shape",
    "n_steps",
    "start_of",
    "tales",
]

VOCAB_SIZE = len(TALES.vocabulary()) + 1  # and the end token
PLACES = 128
TOKENS = 512
WIDTHS = (8, 16, 32, 64)
BUDGETS = (5e9, 1.5e10, 4.5e10, 1.35e11)
FEWEST, MOST = 40, 6000
RATES = (0.3, 0.6, 1.2)
"""Peak rates times the width of the model."""

STARTS: dict[str, tuple[float | None, bool]] = {
    "0.02, scaled": (GPT2_STD, True),
    "0.02": (GPT2_STD, False),
    "1/root d, scaled": (None, True),
    "1/root d": (None, False),
    "0.5": (0.5, False),
}
"""The deviation of the matrices of the blocks, and whether it is divided by the root of 2 L where a branch
joins the residual line; ``None`` is one over the root of the number of inputs."""

SHAPE_BUDGET = 3e10
BASE: dict[str, Any] = {"d_model": 32, "n_layers": 2}
DEEP: dict[str, Any] = {"d_model": 24, "n_layers": 4}
NAMED_SHAPES: dict[str, dict[str, Any]] = {
    "base": BASE,
    "L = 1, d = 48": {"d_model": 48, "n_layers": 1},
    "L = 4, d = 24": DEEP,
    "L = 8, d = 16": {"d_model": 16, "n_layers": 8},
    "H = 1, k = 32": BASE | {"n_heads": 1},
    "H = 16, k = 2": BASE | {"n_heads": 16},
    "H = 4, k = 2": BASE | {"d_head": 2},
    "m = 32": BASE | {"d_ff": 32},
    "m = 512": BASE | {"d_ff": 512},
    "p = 32": BASE | {"context_length": 32},
    **{f"start {start}": DEEP | {"start": start} for start in list(STARTS)[1:]},
}
"""What each shape changes of the base, which has d = 32, L = 2, H = 4, k = 8, m = 128 and p = 128."""


@cache
def tales() -> Corpus:
    """Stories of which the longest runs read each about twice."""
    return load_tales(n_train=16_000, n_valid=150, n_test=300, seed=0)


@cache
def _stream() -> Tensor:
    return torch.from_numpy(token_stream(tales().train, tales().tokenizer))


@cache
def _pieces(part: str, places: int) -> tuple[Tensor, Tensor]:
    """Whole stories behind an end token, cut into pieces of so many places; padding is not scored."""
    words = tales().tokenizer
    rows = []
    for story in getattr(tales(), part):
        tokens = [words.end_token, *words.encode(story), words.end_token]
        for first in range(0, len(tokens) - 1, places):
            rows.append(torch.tensor(tokens[first : first + places + 1]))
    inputs = nn.utils.rnn.pad_sequence([row[:-1] for row in rows], batch_first=True)
    targets = nn.utils.rnn.pad_sequence([row[1:] for row in rows], batch_first=True, padding_value=NOT_SCORED)
    return inputs, targets


def build(
    generator: torch.Generator,
    *,
    d_model: int,
    n_layers: int,
    n_heads: int | None = None,
    d_head: int | None = None,
    d_ff: int | None = None,
    context_length: int = PLACES,
    start: str = "0.02, scaled",
) -> DecoderLM:
    """A language model of this shape; a head has eight features if nothing else is said."""
    config = TransformerConfig(
        vocab_size=VOCAB_SIZE,
        context_length=context_length,
        d_model=d_model,
        n_heads=n_heads or d_model // 8,
        d_head=d_head,
        d_ff=d_ff,
        n_layers=n_layers,
    )
    model = DecoderLM(config, generator=generator)
    start_of(model, *STARTS[start])
    return model


@torch.no_grad()
def start_of(model: DecoderLM, std: float | None, is_scaled: bool) -> None:
    """Give the blocks' matrices another deviation; they were drawn with GPT-2's."""
    root = math.sqrt(2 * model.config.n_layers)
    for block in model.stack.blocks:
        joins = {id(block.attention.output.weight), id(block.feed_forward.down.weight)}
        for weight in block.parameters():
            if weight.dim() == 2:
                is_join = id(weight) in joins
                wanted = weight.shape[1] ** -0.5 if std is None else std
                weight.mul_(wanted / GPT2_STD * (root if is_join and not is_scaled else 1.0))


def n_steps(config: TransformerConfig, budget: float) -> int:
    """Steps of 512 tokens that the budget pays for."""
    windows_each = TOKENS // config.context_length
    return round(budget / (windows_each * training_flops(config, config.context_length)))


def measure(
    seed: int, folder: Path | None = None, *, budget: float, rate_times_width: float, **shape: Any
) -> dict[str, float]:
    """Nats per token on whole unseen stories of a model that was trained with this budget."""
    generator = torch.Generator().manual_seed(seed)
    model = build(generator, **shape)
    config = model.config
    steps, places = n_steps(config, budget), config.context_length
    optimizer = torch.optim.AdamW(
        model.parameters(),
        lr=rate_times_width / config.d_model,
        betas=(0.9, 0.95),
        weight_decay=0,
        fused=True,
    )
    warmup = max(1, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / warmup) * (1 - step / steps)
    )
    for _ in range(steps):
        inputs, targets = small_tales.draw(_stream(), TOKENS // places, places, generator)
        small_tales.take_step(optimizer, small_tales.nats(model, inputs, targets))
        schedule.step()
    model.eval()
    return {
        "nats": round(_loss(model, "test", places), 4),
        "valid": round(_loss(model, "valid", places), 4),
        "parameters": model.n_parameters(),
        "steps": steps,
    }


def measure_shape(
    seed: int, folder: Path | None = None, *, shape: str, rate_times_width: float
) -> dict[str, float]:
    """:func:`measure` of one of the ``NAMED_SHAPES``."""
    options = NAMED_SHAPES[shape]
    return measure(seed, budget=SHAPE_BUDGET, rate_times_width=rate_times_width, **options)


@torch.no_grad()
def _loss(model: DecoderLM, part: str, places: int) -> float:
    inputs, targets = _pieces(part, places)
    total = sum(
        F.cross_entropy(
            model(some).flatten(0, 1), right.flatten(), ignore_index=NOT_SCORED, reduction="sum"
        ).item()
        for some, right in zip(inputs.split(50), targets.split(50))
    )
    return total / int((targets != NOT_SCORED).sum())


def _affordable() -> list[dict[str, Any]]:
    found = []
    for budget in BUDGETS:
        for width in WIDTHS:
            config = TransformerConfig(
                vocab_size=VOCAB_SIZE,
                context_length=PLACES,
                d_model=width,
                n_heads=width // 8,
                n_layers=2,
            )
            if FEWEST <= n_steps(config, budget) <= MOST:
                found.append({"budget": budget, "d_model": width})
    return found


CONFIG = {
    "optimizer": "AdamW, betas 0.9 and 0.95, no decay",
    "schedule": "a tenth of the steps to warm up, then linear to 0",
    "tokens_per_step": TOKENS,
    "n_layers": 2,
    "context_length": PLACES,
}


def data() -> dict[str, Any]:
    """What the records say of the data."""
    return {"name": "tales", "sha256": tales().sha256}


SIZES = Experiment(
    name="model-sizes",
    chapter=15,
    description="language models of four widths at four budgets of compute",
    measure=measure,
    seeds=(0, 1, 2),
    config=CONFIG,
    data=data,
    conditions=tuple(
        {**setting, "n_layers": 2, "rate_times_width": Tuned(RATES)} for setting in _affordable()
    ),
)

SHAPES = Experiment(
    name="model-shapes",
    chapter=15,
    description="language models of different shapes and starts at one budget of compute",
    measure=measure_shape,
    seeds=(0, 1, 2),
    config=CONFIG | {"budget": SHAPE_BUDGET, "shapes": NAMED_SHAPES},
    data=data,
    conditions=tuple({"shape": name, "rate_times_width": Tuned(RATES)} for name in NAMED_SHAPES),
)
