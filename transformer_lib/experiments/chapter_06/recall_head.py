"""A head that recalls what it was shown: what the scale of the scores, and Q = K, do to its training.

The experiments of the second half of chapter 6. The task is *recall*: eight symbols are shown, each with an
answer drawn at random; then one symbol is asked for. Under *match* its own answer is right, under *successor*
that of the next symbol on a ring.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.transformer.attention import attention

__all__ = [
    "DESIGNS",
    "RATES",
    "SCALING",
    "SCALINGS",
    "TYING",
    "WIDTHS",
    "RecallHead",
    "data",
    "measure_scaling",
    "measure_tying",
    "recall",
]

N_SYMBOLS, D_MODEL, RECALL_BATCH = 8, 32, 16
WIDTHS, RATES = (8, 32, 128), (0.0003, 0.001, 0.003, 0.01, 0.03)
SCALING_STEPS, SOLVED = (200, 4000), 0.1
SCALINGS: dict[str, Callable[[int], dict[str, Any]]] = {
    "scaled": lambda k: {},
    "not scaled": lambda k: {"scale": 1.0},
    "not scaled, same start": lambda k: {"scale": 1.0, "query_std": k**-0.5},
    "same start, slower W_q": lambda k: {"scale": 1.0, "query_std": k**-0.5, "query_rate": k**-0.5},
}
TASKS, TYING_STEPS = ("match", "successor"), (250, 4000)
DESIGNS: dict[str, dict[str, Any]] = {
    "separate": {},
    "separate, half width": {"d_head": 8},
    "tied": {"tied": True},
    "tied, renamed": {"tied": True, "rename": True},
}


class RecallHead(nn.Module):
    r"""A head that is shown eight symbols with an answer each, and asked for the answer of one symbol.

    Parameters
    ----------
    d_head
        The width of queries and keys.
    scale
        The factor of the scores; ``None`` means :math:`1/\sqrt{d_\text{head}}`.
    query_std
        Initial entries of ``W_q`` are as many times as large as those of ``W_k``.
    tied
        Use ``W_k`` as ``W_q``.
    rename
        Put a ReLU network, applied to each vector by itself, before the head.
    """

    def __init__(
        self,
        d_head: int = 16,
        scale: float | None = None,
        query_std: float = 1.0,
        tied: bool = False,
        rename: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()

        def draw(*shape: int, std: float = D_MODEL**-0.5) -> nn.Parameter:
            return nn.Parameter(std * torch.randn(*shape, generator=generator))

        self.scale = scale
        self.symbols, self.answers = draw(N_SYMBOLS, D_MODEL, std=1.0), draw(N_SYMBOLS, D_MODEL, std=1.0)
        self.asking = draw(D_MODEL, std=1.0)
        self.W_k, self.W_v = draw(D_MODEL, d_head), draw(D_MODEL, D_MODEL)
        self.W_q = self.W_k if tied else draw(D_MODEL, d_head, std=query_std * D_MODEL**-0.5)
        self.W_1, self.W_2 = None, None
        if rename:
            self.W_1 = draw(D_MODEL, 4 * D_MODEL)
            self.W_2 = draw(4 * D_MODEL, D_MODEL, std=0.5 * D_MODEL**-0.5)

    def forward(
        self, shown: Int[Tensor, "batch n"], answer: Int[Tensor, "batch n"], asked: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch n"]:
        """The score of each possible answer."""
        x = (self.symbols[shown] + self.answers[answer]) / 2**0.5
        asker = (self.symbols[asked] + self.asking)[:, None] / 2**0.5
        if self.W_1 is not None and self.W_2 is not None:
            x, asker = (z + (z @ self.W_1).relu() @ self.W_2 for z in (x, asker))
        query, key, value = asker @ self.W_q, x @ self.W_k, x @ self.W_v
        found = attention(query, key, value, scale=self.scale)[:, 0]
        return found @ self.answers.T / D_MODEL**0.5


def recall(
    seed: int,
    *,
    task: str = "match",
    rate: float = 0.003,
    steps: Sequence[int] = (200,),
    query_rate: float = 1.0,
    head_class: type[RecallHead] = RecallHead,
    **head: Any,
) -> dict[str, dict[str, float]]:
    """Train a :class:`RecallHead`; loss and share of right answers in the 50 steps before each of `steps`.

    Parameters
    ----------
    task
        ``match``: the asked symbol's answer is right. ``successor``: that of the next symbol on the ring.
    rate
        The learning rate of Adam, constant; ``W_q`` learns at ``query_rate`` times this.
    head_class, head
        The class of the head, and its settings.
    """
    generator = torch.Generator().manual_seed(seed)
    model = head_class(**head, generator=generator)
    others = [parameter for parameter in model.parameters() if parameter is not model.W_q]
    groups: list[dict[str, Any]] = [{"params": others}, {"params": [model.W_q], "lr": query_rate * rate}]
    optimizer = torch.optim.Adam(groups, lr=rate, fused=True)
    drawn = torch.rand(max(steps), RECALL_BATCH, 2 * N_SYMBOLS + 1, generator=generator)
    shown = drawn[..., :N_SYMBOLS].argsort(-1)
    answer = (N_SYMBOLS * drawn[..., N_SYMBOLS:-1]).long()
    place = (N_SYMBOLS * drawn[..., -1:]).long()
    right = answer.gather(-1, place)[..., 0]
    asked = (shown.gather(-1, place)[..., 0] - int(task == "successor")) % N_SYMBOLS
    losses, right_answers = [], []
    for step in range(max(steps)):
        logits = model(shown[step], answer[step], asked[step])
        loss = F.cross_entropy(logits, right[step])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        right_answers.append((logits.argmax(-1) == right[step]).double().mean())
    return {
        str(step): {
            "loss": round(torch.stack(losses[step - 50 : step]).mean().item(), 4),
            "right": round(torch.stack(right_answers[step - 50 : step]).mean().item(), 4),
        }
        for step in steps
    }


def measure_scaling(
    seed: int, folder: Path | None = None, *, head: str, k: int, rate: float
) -> dict[str, dict[str, float] | int]:
    """The loss of one of the ``SCALINGS`` on *match*, and after how many steps it is below ``SOLVED``.

    A head that is never below it counts as solving the task in the last step.
    """
    found = recall(seed, d_head=k, rate=rate, steps=range(50, SCALING_STEPS[-1] + 1, 50), **SCALINGS[head](k))
    solved = next((int(step) for step in found if found[step]["loss"] < SOLVED), SCALING_STEPS[-1])
    return {str(step): found[str(step)] for step in SCALING_STEPS} | {"steps to solve": solved}


def measure_tying(
    seed: int, folder: Path | None = None, *, task: str, head: str, rate: float
) -> dict[str, dict[str, float]]:
    """The share of right answers of one of the ``DESIGNS``."""
    return recall(seed, task=task, rate=rate, steps=TYING_STEPS, **DESIGNS[head])


def data() -> dict[str, Any]:
    """What a record says about the data."""
    return {"name": "recall, drawn from the seed", "symbols": N_SYMBOLS}


CONFIG = {"optimizer": "Adam", "batch": RECALL_BATCH, "d_model": D_MODEL, "averaged_steps": 50}
SCALING = Experiment(
    name="score-scale",
    chapter=6,
    description="heads with and without the factor of the scores, by width, learning rate and step",
    measure=measure_scaling,
    seeds=(0, 1, 2, 3, 4),
    config=CONFIG | {"steps": SCALING_STEPS, "solved": SOLVED},
    data=data,
    conditions=tuple(
        {"head": head, "k": k, "rate": rate}
        for head, options in SCALINGS.items()
        for k in (WIDTHS[-1:] if "query_rate" in options(1) else WIDTHS)
        for rate in RATES
    ),
)
TYING = Experiment(
    name="tied-recall",
    chapter=6,
    description="heads with separate and with tied queries and keys, where like asks for like and on a ring",
    measure=measure_tying,
    seeds=(0, 1, 2, 3, 4),
    config=CONFIG | {"steps": TYING_STEPS},
    data=data,
    conditions=tuple(
        {"task": task, "head": head, "rate": rate} for task in TASKS for head in DESIGNS for rate in RATES
    ),
)
