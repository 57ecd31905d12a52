"""Blocks that join their branches to the residual line in different ways: experiments of chapter 10.

Each row of :data:`WIRINGS` is a wiring: what a sub-layer makes of its input ``x``, its branch (attention or
the position-wise network), its normalization and its dropout. :class:`WiredStack` is a stack of blocks with
one of them, made of the library's parts, and :func:`train` trains a small language model with such a stack on
the tales.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales
from transformer_lib.experiments.shared.small_tales import data, tales
from transformer_lib.initialization import embedding, projection
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.block import FeedForward, LayerNorm
from transformer_lib.transformer.masks import Mask

__all__ = [
    "GAINS",
    "PLACEMENT",
    "PLACEMENT_LONGER",
    "RATES",
    "WIRING",
    "WIRINGS",
    "WIRING_LONGER",
    "WiredLM",
    "WiredStack",
    "gradient_norms",
    "measure_placement",
    "measure_wiring",
    "train",
]

Branch = Callable[[Tensor], Tensor]
Wiring = Callable[[Tensor, Branch, Branch, Branch], Tensor]

WIRINGS: dict[str, Wiring] = {
    "branches alone": lambda x, f, norm, drop: drop(f(x)),
    "norm": lambda x, f, norm, drop: norm(drop(f(x))),
    "residual": lambda x, f, norm, drop: x + drop(f(x)),
    "post-norm": lambda x, f, norm, drop: norm(x + drop(f(x))),
    "pre-norm": lambda x, f, norm, drop: x + drop(f(norm(x))),
    "norm on the branch": lambda x, f, norm, drop: x + drop(norm(f(x))),
    "residual from the norm": lambda x, f, norm, drop: norm(x) + drop(f(norm(x))),
    "dropout on the sum": lambda x, f, norm, drop: drop(x + f(norm(x))),
    "dropout before the branch": lambda x, f, norm, drop: x + f(drop(norm(x))),
}
"""What a sub-layer makes of ``x``, by name."""

RATES = (0.001, 0.003, 0.01, 0.03)
GAINS = (0.5, 1.0)
WINDOW = 32
BATCH = 16
D_MODEL = 32
FEW = 60


class WiredBlock(nn.Module):
    """Attention and the position-wise network, wired as one row of :data:`WIRINGS`."""

    def __init__(
        self, d_model: int, wiring: str, dropout: float, gain: float, generator: torch.Generator | None
    ) -> None:
        super().__init__()
        self.wire = WIRINGS[wiring]
        shared: dict[str, Any] = {"std": gain * d_model**-0.5, "generator": generator}
        self.attention = MultiHeadAttention(d_model, 4, join_std=gain * d_model**-0.5, **shared)
        self.feed_forward = FeedForward(
            d_model, 4 * d_model, bias=False, join_std=gain * (4 * d_model) ** -0.5, **shared
        )
        self.norms = nn.ModuleList(LayerNorm(d_model) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Float[Tensor, "batch time d_model"], mask: Mask | None = None
    ) -> Float[Tensor, "batch time d_model"]:
        """The block's output."""
        x = self.wire(x, lambda y: self.attention(y, mask=mask), self.norms[0], self.dropout)
        return self.wire(x, self.feed_forward, self.norms[1], self.dropout)


class WiredStack(nn.Module):
    """Blocks of one wiring.

    Parameters
    ----------
    wiring
        A name in :data:`WIRINGS`.
    dropout
        Its probability, where the wiring has a place for it.
    gain
        What the initial deviations are multiplied by; with 1 they are 1 / sqrt(number of inputs).
    """

    def __init__(
        self,
        n_layers: int,
        d_model: int = D_MODEL,
        *,
        wiring: str,
        dropout: float = 0.0,
        gain: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            WiredBlock(d_model, wiring, dropout, gain, generator) for _ in range(n_layers)
        )

    def forward(
        self, x: Float[Tensor, "batch time d_model"], mask: Mask | None = None
    ) -> Float[Tensor, "batch time d_model"]:
        """The last block's output."""
        for block in self.blocks:
            x = block(x, mask)
        return x


def gradient_norms(
    seed: int,
    *,
    wiring: str,
    n_layers: int = 64,
    d_model: int = 64,
    n_objects: int = 32,
    gain: float = 1.0,
) -> dict[str, list[float]]:
    """Sizes along a stack at initialization, at the input of each block and at the output of the last.

    The inputs are normal vectors, and the gradient that enters at the top is one too, with the norm 1.

    Returns
    -------
    The root mean square of the ``activations``; their ``distinct`` share, which is the norm of what is left
    when the objects' mean is subtracted, over the whole norm; and the norms of the ``gradients`` for them.
    Attention takes its softmax as it is written: the fused kernel computes the weights again on the way
    back, and where activations reach millions its gradients are wrong.
    """
    generator = torch.Generator().manual_seed(seed)
    stack = WiredStack(n_layers, d_model, wiring=wiring, gain=gain, generator=generator).double()
    x = torch.randn(1, n_objects, d_model, generator=generator, dtype=torch.float64)
    upstream = torch.randn(x.shape, generator=generator, dtype=torch.float64)
    points = [x.requires_grad_()]
    with sdpa_kernel(SDPBackend.MATH):
        for block in stack.blocks:
            points.append(block(points[-1]))
        gradients = torch.autograd.grad(points[-1], points, upstream / upstream.norm())
    deviations = [point - point.mean(1, keepdim=True) for point in points]
    return {
        "activations": [point.square().mean().sqrt().item() for point in points],
        "distinct": [(own.norm() / point.norm()).item() for own, point in zip(deviations, points)],
        "gradients": [gradient.norm().item() for gradient in gradients],
    }


class WiredLM(nn.Module):
    """A language model: embeddings, learned positions, a :class:`WiredStack`, a last LayerNorm and a head."""

    def __init__(self, vocab_size: int, n_layers: int, *, generator: torch.Generator, **options: Any) -> None:
        super().__init__()
        self.tokens = embedding(vocab_size, D_MODEL, std=1.0, generator=generator)
        self.places = embedding(WINDOW, D_MODEL, std=0.3, generator=generator)
        self.stack = WiredStack(n_layers, generator=generator, **options)
        self.final_norm = LayerNorm(D_MODEL)
        self.head = projection(D_MODEL, vocab_size, bias=False, std=0.02, generator=generator)

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each."""
        x = self.tokens(tokens) + self.places.weight[: tokens.shape[1]]
        return self.head(self.final_norm(self.stack(x, Mask.causal())))


def train(
    seed: int,
    *,
    n_layers: int,
    rate: float,
    steps: int,
    n_stories: int | None = None,
    **options: Any,
) -> float:
    """Nats per token on unseen stories after so many steps of Adam, the rate falling to 0.

    Parameters
    ----------
    n_stories
        How many stories are read; by default all 2,000.
    options
        Those of :class:`WiredStack`.

    Returns
    -------
    The loss; that of guessing, the logarithm of the vocabulary's size, where it is more or not a number.
    """
    stream, held_out = small_tales.streams(n_test=100, n_train=n_stories)
    generator, vocab_size = torch.Generator().manual_seed(seed), tales().tokenizer.vocab_size
    model = WiredLM(vocab_size, n_layers, generator=generator, **options)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / steps)
    torch.manual_seed(seed)  # for dropout, which takes no generator
    for _ in range(steps):
        inputs, targets = small_tales.draw(stream, BATCH, WINDOW, generator)
        small_tales.take_step(optimizer, small_tales.nats(model, inputs, targets))
        schedule.step()
    with torch.no_grad():
        nats = small_tales.nats(model.eval(), *small_tales.cut(held_out, WINDOW)).item()
    guessing = math.log(vocab_size)
    return round(nats, 4) if nats < guessing else round(guessing, 4)


def measure_placement(
    seed: int, folder: Path | None = None, *, wiring: str, gain: float, rate: float, steps: int = 120
) -> dict[str, float]:
    """Nats per token on unseen stories of a language model of six blocks after ``steps``."""
    return {"nats": train(seed, n_layers=6, steps=steps, wiring=wiring, gain=gain, rate=rate)}


def measure_wiring(
    seed: int, folder: Path | None = None, *, wiring: str, dropout: float, rate: float, steps: int = 200
) -> dict[str, float]:
    """Nats per token on unseen stories of a language model of two blocks that has read few stories often."""
    few = {"n_layers": 2, "n_stories": FEW}
    return {"nats": train(seed, **few, steps=steps, wiring=wiring, dropout=dropout, rate=rate)}


def _longer(short: Experiment, steps: int, **changes: Any) -> Experiment:
    """The same experiment with as many ``steps`` of training, at three seeds."""
    return replace(
        short,
        name=f"{short.name}-longer",
        description=f"{short.description}, after {steps} steps",
        measure=partial(short.measure, steps=steps),
        seeds=(0, 1, 2),
        config={**short.config, "steps": steps},
        **changes,
    )


CONFIG = {"optimizer": "Adam", "schedule": "to 0", "batch": BATCH, "window": WINDOW, "d_model": D_MODEL}

PLACEMENT = Experiment(
    name="norm-placement",
    chapter=10,
    description="language models of six blocks with the normalization at different places",
    measure=measure_placement,
    seeds=(0, 1, 2, 3, 4),
    config=CONFIG | {"n_layers": 6, "steps": 120},
    data=data,
    conditions=(
        *(
            {"wiring": wiring, "gain": gain, "rate": rate}
            for wiring in ("post-norm", "pre-norm")
            for gain in GAINS
            for rate in RATES
        ),
        *({"wiring": "norm", "gain": gain, "rate": 0.003} for gain in GAINS),
    ),
)

PLACEMENT_LONGER = _longer(
    PLACEMENT,
    480,
    conditions=tuple(
        setting
        for setting in PLACEMENT.conditions
        if setting["wiring"] != "norm" and setting["rate"] in (0.003, 0.01)
    ),
)

WIRING = Experiment(
    name="wirings",
    chapter=10,
    description="language models of two blocks with residual lines and dropout wired differently",
    measure=measure_wiring,
    seeds=(0, 1, 2, 3, 4),
    config=CONFIG | {"n_layers": 2, "steps": 200, "stories": FEW},
    data=data,
    conditions=tuple(
        {"wiring": wiring, "dropout": dropout, "rate": rate}
        for wiring, dropout in (
            ("pre-norm", 0.0),
            ("pre-norm", 0.1),
            ("dropout on the sum", 0.1),
            ("dropout before the branch", 0.1),
            ("post-norm", 0.1),
            ("norm on the branch", 0.1),
            ("residual from the norm", 0.1),
        )
        for rate in (0.003, 0.01)
    ),
)

WIRING_LONGER = _longer(WIRING, 600)
