"""How far back a recurrent network learns to look: experiments of chapter 4.

The task is *delayed recall*. A network reads one of eight symbols and then ``delay`` tokens of noise; after
the last it has to name the symbol. All networks have 8,192 weights in their cell: a plain one is 64 wide, an
LSTM 32. :data:`NETWORKS` says where their weights start.
"""

import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.initialization import embedding, projection
from transformer_lib.recurrent.cells import recurrent_kernel

__all__ = [
    "DELAYS",
    "DISTANCES",
    "EXPERIMENT",
    "NETWORKS",
    "RATES",
    "Reader",
    "draw",
    "gradient_reach",
    "measure",
    "train",
]

N_SYMBOLS = 8
RNN_WIDTH, LSTM_WIDTH = 64, 32
BATCH, STEPS, LONGER = 32, 300, 1200
DELAYS, RATES, CLIP = (10, 20, 40), (0.001, 0.003, 0.01), 1.0
DISTANCES = (1, 2, 5, 10, 20, 40)
NOTHING = -308.0
"""The logarithm of the smallest number that float64 holds, roughly."""
SMOOTHED, SOLVED = 20, 0.95


def _scaled(kernel: Any, factor: float) -> None:
    kernel.weight_hh_l0.mul_(factor)


def _forget(kernel: Any, bias: float) -> None:
    kernel.bias_ih_l0[kernel.hidden_size : 2 * kernel.hidden_size] = bias


NETWORKS: dict[str, tuple[type[nn.RNN | nn.LSTM], str, Callable[[Any, torch.Generator], object]]] = {
    "RNN": (nn.RNN, "tanh", lambda kernel, generator: None),
    "RNN, radius 1": (nn.RNN, "tanh", lambda kernel, generator: _scaled(kernel, 3**0.5)),
    "RNN, radius 1.5": (nn.RNN, "tanh", lambda kernel, generator: _scaled(kernel, 1.5 * 3**0.5)),
    "RNN, orthogonal": (
        nn.RNN,
        "tanh",
        lambda kernel, generator: nn.init.orthogonal_(kernel.weight_hh_l0, generator=generator),
    ),
    "RNN, identity": (nn.RNN, "relu", lambda kernel, generator: nn.init.eye_(kernel.weight_hh_l0)),
    "LSTM, bias 0": (nn.LSTM, "tanh", lambda kernel, generator: _forget(kernel, 0.0)),
    "LSTM, bias 1": (nn.LSTM, "tanh", lambda kernel, generator: _forget(kernel, 1.0)),
    "LSTM, bias 4": (nn.LSTM, "tanh", lambda kernel, generator: _forget(kernel, 4.0)),
}
"""The cell, its nonlinearity, and what is changed in its usual start.

The usual recurrent matrix is uniform, with a spectral radius of about 0.58. The radius of the next two is
about 1 and 1.5. The identity goes with a ReLU, as Le et al. (2015) have it. An LSTM's bias is its forget
gates'.
"""


class Reader(nn.Module):
    """A network of :data:`NETWORKS` that reads tokens and names a symbol after the last."""

    def __init__(self, network: str, generator: torch.Generator) -> None:
        super().__init__()
        kernel_class, nonlinearity, change = NETWORKS[network]
        options: dict[str, Any] = {} if kernel_class is nn.LSTM else {"nonlinearity": nonlinearity}
        width = LSTM_WIDTH if kernel_class is nn.LSTM else RNN_WIDTH
        self.tokens = embedding(2 * N_SYMBOLS, width, std=1.0, generator=generator)
        self.kernel = recurrent_kernel(kernel_class, width, width, generator=generator, **options)
        with torch.no_grad():
            change(self.kernel, generator)
        self.head = projection(width, N_SYMBOLS, bias=False, generator=generator)

    def forward(self, x: Float[Tensor, "batch time d"]) -> Float[Tensor, "batch symbols"]:
        """The scores of the symbols after the last input; ``x`` is what ``tokens`` returns."""
        return self.head(self.kernel(x)[0][:, -1])


def draw(delay: int, n: int, generator: torch.Generator) -> tuple[Int[Tensor, "n time"], Int[Tensor, "n"]]:
    """A symbol and ``delay`` tokens of noise behind it, n times; and the symbols."""
    noise = torch.randint(N_SYMBOLS, 2 * N_SYMBOLS, (n, delay + 1), generator=generator)
    symbol = torch.randint(N_SYMBOLS, (n,), generator=generator)
    noise[:, 0] = symbol
    return noise, symbol


def gradient_reach(
    model: Reader, generator: torch.Generator, distances: Sequence[int] = DISTANCES, n: int = 32
) -> dict[str, float]:
    """The norm of the loss's gradient for the input so far back, over that for the last input.

    It is the root mean square over n sequences that are as long as the largest distance needs, in double
    precision.
    """
    precise = deepcopy(model).double()
    tokens, symbol = draw(max(distances), n, generator)
    x = precise.tokens(tokens).detach().requires_grad_()
    (gradient,) = torch.autograd.grad(F.cross_entropy(precise(x), symbol), x)
    norms = gradient.square().sum(-1).mean(0).sqrt().flip(0)
    return {str(distance): (norms[distance] / norms[0]).item() for distance in distances}


def train(
    seed: int,
    *,
    network: str,
    delay: int,
    rate: float,
    clip: float | None = None,
    steps: int = STEPS,
) -> tuple[Reader, dict[str, float | int]]:
    """Train a :class:`Reader` with Adam until it is right in 95% of 20 batches, or for ``steps``.

    Parameters
    ----------
    clip
        The largest norm of a gradient; ``None`` lets every gradient pass.

    Returns
    -------
    The network, and the number of ``steps``, whether the task was ``solved``, and the share of ``right``
    answers in the last 20 batches.
    """
    generator = torch.Generator().manual_seed(seed)
    model = Reader(network, generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    right: list[float] = []
    for _ in range(steps):
        tokens, symbol = draw(delay, BATCH, generator)
        logits = model(model.tokens(tokens))
        optimizer.zero_grad()
        F.cross_entropy(logits, symbol).backward()
        if clip is not None:
            nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        right.append((logits.argmax(-1) == symbol).double().mean().item())
        share = sum(right[-SMOOTHED:]) / SMOOTHED
        if share >= SOLVED:
            break
    return model, {"steps": len(right), "solved": int(share >= SOLVED), "right": round(share, 4)}


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    network: str,
    delay: int,
    rate: float,
    clip: float | None,
    steps: int,
) -> dict[str, Any]:
    """What training reached, and the reach of the gradient before and after it, as logarithms to base 10."""
    generator = torch.Generator().manual_seed(seed)
    before = gradient_reach(Reader(network, generator), generator)
    model, result = train(seed, network=network, delay=delay, rate=rate, clip=clip, steps=steps)
    reach = {"before": before, "after": gradient_reach(model, generator)}
    return result | {
        when: {distance: _log10(value) for distance, value in found.items()} for when, found in reach.items()
    }


def _log10(value: float) -> float:
    return round(math.log10(value), 2) if value > 0 else NOTHING


GRID: list[dict[str, Any]] = [
    {"network": network, "delay": delay, "rate": rate, "clip": clip, "steps": STEPS}
    for network in NETWORKS
    if network != "RNN, radius 1"
    for delay in DELAYS
    for rate, clip in [*((rate, CLIP) for rate in RATES), (RATES[1], None)]
    if clip is not None or delay < DELAYS[-1]
]
EXPERIMENT = Experiment(
    name="delayed-recall",
    chapter=4,
    description="RNNs and LSTMs with different starts that recall a symbol after growing delays",
    measure=measure,
    seeds=(0, 1, 2),
    config={"optimizer": "Adam", "batch": BATCH, "widths": {"RNN": RNN_WIDTH, "LSTM": LSTM_WIDTH}},
    data=lambda: {"name": "delayed recall, drawn from the seed", "symbols": N_SYMBOLS},
    conditions=(
        *GRID,
        *(
            {"network": network, "delay": delay, "rate": RATES[1], "clip": CLIP, "steps": LONGER}
            for network, delay in (("RNN", 10), ("RNN, orthogonal", 20), ("LSTM, bias 1", 20))
        ),
    ),
)
