"""How far back a recurrent network learns to look: an experiment of chapter 4.

The task is *delayed recall*. A network reads one of eight symbols and then ``delay`` tokens of noise; after
the last it has to name the symbol. All networks have 8,192 weights in their cell: a plain one is 64 wide, an
LSTM 32. :data:`NETWORKS` says where their weights start.
"""

from collections.abc import Callable
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
    "EXPERIMENT",
    "NETWORKS",
    "RATES",
    "Reader",
    "draw",
    "measure",
    "started_kernel",
    "train",
]

N_SYMBOLS = 8
RNN_WIDTH, LSTM_WIDTH = 64, 32
BATCH, STEPS, CLIP = 32, 3000, 1.0
DELAYS, RATES = (10, 20, 40), (0.001, 0.003, 0.01)
SMOOTHED, SOLVED = 20, 0.95


def _forget(kernel: Any, bias: float) -> None:
    kernel.bias_ih_l0[kernel.hidden_size : 2 * kernel.hidden_size] = bias


NETWORKS: dict[str, tuple[type[nn.RNN | nn.LSTM], str, Callable[[Any, torch.Generator], object]]] = {
    "RNN": (nn.RNN, "tanh", lambda kernel, generator: None),
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

The usual recurrent matrix is uniform, with a spectral radius of about 0.58. The identity goes with a ReLU, as
Le et al. (2015) have it. An LSTM's bias is its forget gates'.
"""


def started_kernel(network: str, width: int, generator: torch.Generator) -> nn.RNNBase:
    """The recurrent layer of one of the :data:`NETWORKS`, with its first weights."""
    kernel_class, nonlinearity, change = NETWORKS[network]
    options: dict[str, Any] = {} if kernel_class is nn.LSTM else {"nonlinearity": nonlinearity}
    kernel = recurrent_kernel(kernel_class, width, width, generator=generator, **options)
    with torch.no_grad():
        change(kernel, generator)
    return kernel


class Reader(nn.Module):
    """A network of :data:`NETWORKS` that reads tokens and names a symbol after the last."""

    def __init__(self, network: str, generator: torch.Generator) -> None:
        super().__init__()
        width = LSTM_WIDTH if network.startswith("LSTM") else RNN_WIDTH
        self.tokens = embedding(2 * N_SYMBOLS, width, std=1.0, generator=generator)
        self.kernel = started_kernel(network, width, generator)
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


def train(
    seed: int, *, network: str, delay: int, rate: float, steps: int = STEPS
) -> tuple[Reader, dict[str, float | int]]:
    """Train a :class:`Reader` with Adam until it is right in 95% of 20 batches, or for ``steps``.

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
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        right.append((logits.argmax(-1) == symbol).double().mean().item())
        share = sum(right[-SMOOTHED:]) / SMOOTHED
        if share >= SOLVED:
            break
    return model, {"steps": len(right), "solved": int(share >= SOLVED), "right": round(share, 4)}


def measure(
    seed: int, folder: Path | None = None, *, network: str, delay: int, rate: float, steps: int = STEPS
) -> dict[str, Any]:
    """What training reached."""
    return train(seed, network=network, delay=delay, rate=rate, steps=steps)[1]


EXPERIMENT = Experiment(
    name="delayed-recall",
    chapter=4,
    description="RNNs and LSTMs with different starts that recall a symbol after growing delays",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "optimizer": "Adam",
        "batch": BATCH,
        "steps": STEPS,
        "clip": CLIP,
        "widths": {"RNN": RNN_WIDTH, "LSTM": LSTM_WIDTH},
    },
    data=lambda: {"name": "delayed recall, drawn from the seed", "symbols": N_SYMBOLS},
    conditions=tuple(
        {"network": network, "delay": delay, "rate": rate}
        for delay in DELAYS
        for network in NETWORKS
        for rate in RATES
    ),
)
