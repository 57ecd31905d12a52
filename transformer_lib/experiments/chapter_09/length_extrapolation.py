"""Every scheme of positions on two tasks, trained on short sequences and tested on longer ones: chapter 9.

On *echo* the answer at each position is the symbol that stood five positions before: order alone decides. On
*tales* it is the next word of a story. Training reads ``TRAINED`` tokens at a time, the test ``LONGEST``.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales
from transformer_lib.experiments.shared.small_tales import tales
from transformer_lib.initialization import embedding, projection
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.positions import RelativePositions
from transformer_lib.transformer.stack import TransformerStack

__all__ = [
    "BLOCK",
    "EXPERIMENT",
    "LONGEST",
    "OFFSET",
    "RATES",
    "SCHEMES",
    "STEPS",
    "TASKS",
    "TRAINED",
    "UNANSWERED",
    "SmallLM",
    "batches",
    "data",
    "measure",
    "score",
    "train",
]

TRAINED, LONGEST, BLOCK = 32, 128, 16
TASKS, RATES, STEPS = ("echo", "tales"), (0.002, 0.005), (100, 300)
N_SYMBOLS, OFFSET, BATCH = 16, 5, 8
D_MODEL, N_HEADS, N_LAYERS = 48, 4, 2
WORD_STD, TABLE_STD, SMALL_STD, FARTHEST = 0.5, 0.7, 0.02, 16
UNANSWERED, TEST_SEED = -100, 1_000_003
SCHEMES = (
    "none",
    "one-hot",
    "joint",
    "gehring",
    "sinusoidal",
    "learned",
    "learned, small start",
    "relative",
    "rotary",
    "rotary, base 500000",
    "alibi",
)


class SmallLM(nn.Module):
    """Two causal blocks behind one of the ``SCHEMES``, with a table of ``LONGEST`` rows where it has a table.

    Words start with deviation 0.5, tables with 0.7, that of the sinusoids; under ``learned, small start``
    with 0.02. Relative positions tell 16 distances apart on each side.
    """

    def __init__(self, scheme: str, vocab_size: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        name, _, variant = scheme.partition(", ")
        base = 10_000.0
        if "base" in variant:
            base = float(variant.removeprefix("base "))
        config = TransformerConfig(
            vocab_size=vocab_size,
            context_length=LONGEST,
            d_model=D_MODEL,
            n_heads=N_HEADS,
            n_layers=N_LAYERS,
            d_ff=2 * D_MODEL,
            positions=name,
            rotary_base=base,
        )
        self.words = embedding(
            vocab_size,
            D_MODEL,
            std=WORD_STD,
            generator=generator,
        )
        self.stack = TransformerStack(config, generator=generator)
        self.head = projection(
            D_MODEL,
            vocab_size,
            bias=False,
            std=0.02,
            generator=generator,
        )
        table = getattr(self.stack.positions, "table", None)
        if isinstance(table, nn.Embedding):
            std = SMALL_STD if variant == "small start" else TABLE_STD
            nn.init.normal_(table.weight, std=std, generator=generator)
        if name == "relative":
            for block in self.stack.blocks:
                block.attention.positions = RelativePositions(
                    N_HEADS,
                    config.head_width,
                    FARTHEST,
                    generator=generator,
                )

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The scores of the answers at each position."""
        return self.head(self.stack(self.words(tokens), Mask.causal()))


def batches(task: str) -> tuple[int, Callable[[torch.Generator], tuple[Tensor, Tensor]], Tensor, Tensor]:
    """The vocabulary's size, what draws inputs and answers to train on, and those of the test.

    An answer of -100 counts nowhere.
    """
    if task == "echo":
        test = torch.Generator().manual_seed(TEST_SEED)
        return N_SYMBOLS, lambda g: _echo(BATCH, TRAINED, g), *_echo(64, LONGEST, test)
    stream, held_out = small_tales.streams(n_test=120)
    vocab_size = tales().tokenizer.vocab_size
    return (
        vocab_size,
        lambda g: small_tales.draw(stream, BATCH, TRAINED, g),
        *small_tales.cut(held_out, LONGEST),
    )


def _echo(n: int, length: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    symbols = torch.randint(N_SYMBOLS, (n, length), generator=generator)
    answers = torch.full_like(symbols, UNANSWERED)
    answers[:, OFFSET:] = symbols[:, :-OFFSET]
    return symbols, answers


@torch.no_grad()
def score(model: nn.Module, task: str, inputs: Tensor, answers: Tensor) -> dict[str, float]:
    """The share of right answers on *echo*, nats per word on *tales*, by blocks of 16 positions.

    ``within`` is over the positions that training has seen, ``beyond`` over the others.
    """
    logits = model(inputs)
    if task == "echo":
        good = (logits.argmax(-1) == answers).double()
    else:
        good = F.cross_entropy(logits.transpose(1, 2), answers, reduction="none").double()
    counted = answers != UNANSWERED

    def mean(start: int, stop: int) -> float:
        return round(good[:, start:stop][counted[:, start:stop]].mean().item(), 4)

    blocks = {f"block {n + 1}": mean(BLOCK * n, BLOCK * (n + 1)) for n in range(LONGEST // BLOCK)}
    return {"within": mean(0, TRAINED), "beyond": mean(TRAINED, LONGEST)} | blocks


def train(
    seed: int, *, task: str, scheme: str, rate: float, steps: tuple[int, ...] = STEPS
) -> tuple[SmallLM, dict[str, dict[str, float]]]:
    """Train with Adam at a constant rate; the model, and its scores after each of `steps`."""
    generator = torch.Generator().manual_seed(seed)
    vocab_size, draw, inputs, answers = batches(task)
    model = SmallLM(scheme, vocab_size, generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    scores = {}
    for step in range(1, max(steps) + 1):
        tokens, right = draw(generator)
        loss = F.cross_entropy(model(tokens).flatten(0, 1), right.flatten(), ignore_index=UNANSWERED)
        small_tales.take_step(optimizer, loss)
        if step in steps:
            scores[str(step)] = score(model, task, inputs, answers)
    return model, scores


def measure(
    seed: int, folder: Path | None = None, *, task: str, scheme: str, rate: float
) -> dict[str, dict[str, float]]:
    """The scores of one scheme after each of ``STEPS``."""
    return train(seed, task=task, scheme=scheme, rate=rate)[1]


def data() -> dict[str, Any]:
    """What a record says about the data."""
    return {
        "tales": tales().sha256,
        "echo": f"{N_SYMBOLS} symbols drawn from the seed, repeated after {OFFSET} positions",
    }


EXPERIMENT = Experiment(
    name="lengths",
    chapter=9,
    description="all schemes of positions, trained on sequences of 32 tokens and tested up to 128",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"optimizer": "Adam", "batch": BATCH, "trained": TRAINED, "longest": LONGEST, "steps": STEPS},
    data=data,
    conditions=tuple(
        {"task": task, "scheme": scheme, "rate": rate}
        for task in TASKS
        for rate in RATES
        for scheme in SCHEMES
    ),
)
