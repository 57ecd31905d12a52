"""Does it help to learn the conditionals of all positions? The record behind chapter 2.

Two comparisons on the binarized digits. In the first, models with a conditional for each position (NADE, the
classic NADE, logistic regressions) compete with one network that reads a padded history; models between NADE
and this network change one of their differences at a time. In the second, NADE is trained on its last
conditionals alone or on all of them, and the same last conditionals are compared, with the pixels in a random
order. :func:`fit` is one training run.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.data import load_digits
from transformer_lib.density.baselines import FeedforwardHistory, FullyVisibleSigmoid
from transformer_lib.density.nade import NADE, TiedBinaryNADE
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.interfaces import DensityModel
from transformer_lib.metrics import paired_interval

__all__ = ["EXPERIMENT", "KINDS", "RATES", "Fit", "build", "data", "fit", "measure", "pixel_order", "tables"]

N_PIXELS, BATCH, EVALUATE_EVERY, N_STEPS, N_TRAIN = 64, 100, 25, 400, 1097
RATES = (0.001, 0.003, 0.01, 0.03)
SIZES, LASTS = (N_TRAIN, 300, 100), (1, 8, 16)
KINDS = (
    "sigmoid",
    "padded",
    "nade",
    "classic",
    "padded-sigmoid",
    "padded-outputs",
    "nade-relu",
    "nade-weights",
)
"""Logistic regressions; padding; the slides' NADE, learning its sums; the classic NADE.

Then the models between: padding with NADE's nonlinearity, or with output weights for each place; NADE with
the ReLU of padding. Last, the slides' NADE learning its weights.
"""

MODELS = [
    {"kind": kind, "n_train": n_train, "rate": Tuned(RATES)}
    for n_train in SIZES
    for kind in (KINDS if n_train == N_TRAIN else KINDS[:-1])
]
LOSSES = [
    {"kind": "nade", "n_train": n_train, "last": last, "shuffled": True, "rate": Tuned(RATES[1:])}
    for n_train in SIZES
    for last in (N_PIXELS, *LASTS)
]


class OwnOutputs(FeedforwardHistory):
    """The padded network, but with output weights and an output bias for each position, as NADE has."""

    decays = ("V", "W")

    def __init__(self, n_positions: int, d_hidden: int, *, generator: torch.Generator) -> None:
        super().__init__(2, n_positions, d_hidden, generator=generator)
        W = torch.randn(n_positions, 2, d_hidden, generator=generator)
        self.W = nn.Parameter(d_hidden**-0.5 * W)
        self.b = nn.Parameter(torch.zeros(n_positions, 2))

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Logits of the token after ``tokens[:, t]``, for at most as many tokens as there are positions."""
        hidden = self.hidden(tokens)
        length = hidden.shape[1]
        return self.b[:length] + torch.einsum("btk,tdk->btd", hidden, self.W[:length])


def build(kind: str, seed: int) -> DensityModel:
    """A fresh model of 64 binary pixels; NADE and the padded network have about as many parameters.

    Raises
    ------
    ValueError
        If ``kind`` is none of :data:`KINDS`.
    """
    generator = torch.Generator().manual_seed(seed)
    match kind:
        case "sigmoid":
            return FullyVisibleSigmoid(N_PIXELS)
        case "padded" | "padded-sigmoid":
            activation = "relu" if kind == "padded" else "sigmoid"
            return FeedforwardHistory(2, N_PIXELS, 80, activation=activation, generator=generator)
        case "padded-outputs":
            return OwnOutputs(N_PIXELS, 80, generator=generator)
        case "nade" | "nade-weights" | "nade-relu":
            activation = "relu" if kind == "nade-relu" else "sigmoid"
            learn_sums = kind != "nade-weights"
            return NADE(N_PIXELS, 2, 50, learn_sums=learn_sums, activation=activation, generator=generator)
        case "classic":
            return TiedBinaryNADE(N_PIXELS, 50, generator=generator)
    raise ValueError(f"there is no model {kind!r}; choose one of {', '.join(KINDS)}")


def pixel_order(seed: int | None) -> Int[Tensor, "pixels"]:
    """Row by row (None), or a random order of the pixels."""
    if seed is None:
        return torch.arange(N_PIXELS)
    return torch.randperm(N_PIXELS, generator=torch.Generator().manual_seed(1000 + seed))


@dataclass(frozen=True)
class Fit:
    r"""What one training run leaves.

    Attributes
    ----------
    model : DensityModel
        With the parameters of the step at which its loss on the validation images was least.
    steps : list of int
        Where it was measured.
    nats : Tensor
        At each of these steps the mean nats of each pixel, for training, validation and test images.
    test_log_probs : Tensor
        At each of these steps :math:`\log p(x_t \mid x_{<t})` of each pixel of each test image.
    """

    model: DensityModel
    steps: list[int]
    nats: Float[Tensor, "steps parts pixels"]
    test_log_probs: Float[Tensor, "steps images pixels"]

    def best(self, last: int = N_PIXELS) -> int:
        """The index of the step with the least validation nats of the last pixels."""
        return int(self.nats[:, 1, -last:].sum(dim=-1).argmin())

    def log_probs(self, last: int = N_PIXELS) -> Float[Tensor, "images"]:
        """Log-probability of the last pixels of each test image, at the best step for these pixels."""
        return self.test_log_probs[self.best(last), :, -last:].sum(dim=-1)


def fit(
    kind: str,
    rate: float,
    seed: int,
    *,
    n_train: int = N_TRAIN,
    last: int = N_PIXELS,
    order: int | None = None,
    n_steps: int = N_STEPS,
    build: Callable[[str, int], DensityModel] = build,
) -> Fit:
    """Train one model with Adam on batches of 100 images, and measure it every 25 steps.

    Parameters
    ----------
    kind
        One of :data:`KINDS`, or what ``build`` knows.
    rate
        The learning rate.
    seed
        Draws the initial parameters, the batches and, if ``n_train`` is less than all, the training images.
    n_train
        How many training images to use.
    last
        The loss is the nats of this many last pixels: 64 is the whole image.
    order
        The seed of :func:`pixel_order`.
    build
        Makes the fresh model of a kind from a seed.
    """
    images, shuffled = load_digits(), pixel_order(order)
    train, valid, test = (
        torch.from_numpy(part).long()[:, shuffled] for part in (images.train, images.valid, images.test)
    )
    generator = torch.Generator().manual_seed(seed)
    train = train[torch.randperm(len(train), generator=generator)[:n_train]]
    model = build(kind, seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    steps, nats, test_log_probs, least, kept = [], [], [], float("inf"), model.state_dict()
    for step in range(1, n_steps + 1):
        batch = train[torch.randint(len(train), (BATCH,), generator=generator)]
        optimizer.zero_grad()
        (-model.conditional_log_probs(batch)[:, -last:].sum(dim=1).mean()).backward()
        optimizer.step()
        if step % EVALUATE_EVERY == 0:
            with torch.no_grad():
                parts = [model.conditional_log_probs(x) for x in (train[: len(valid)], valid, test)]
            steps.append(step)
            nats.append(torch.stack([-part.mean(dim=0) for part in parts]))
            test_log_probs.append(parts[2])
            if (loss := nats[-1][1, -last:].sum().item()) < least:
                least, kept = loss, copy.deepcopy(model.state_dict())
    model.load_state_dict(kept)
    return Fit(model, steps, torch.stack(nats), torch.stack(test_log_probs))


def measure(
    seed: int,
    folder: Path,
    *,
    kind: str,
    n_train: int,
    rate: float,
    last: int = N_PIXELS,
    shuffled: bool = False,
) -> dict[str, Any]:
    """One training run in numbers; with ``shuffled`` pixels, run by run in another order.

    A run on shuffled pixels that learns all conditionals is measured on each number of last ones too.
    """
    run = fit(kind, rate, seed, n_train=n_train, last=last, order=seed if shuffled else None)
    valid = {"valid": run.nats[:, 1, -last:].sum(dim=-1).min().item()}
    if shuffled:
        measured = (*LASTS, N_PIXELS) if last == N_PIXELS else (last,)
        return valid | {f"last {m}": _of_last(run, m) for m in measured}
    log_probs = run.log_probs()
    return valid | {
        "parameters": sum(p.numel() for p in run.model.parameters()),
        "log_probs": log_probs.tolist(),
        **_of_last(run, N_PIXELS),
        "test": _rounded(-log_probs.mean()),
        "by_pixel": _rounded(run.nats[run.best(), 2]),
    }


def tables(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The record's two tables: a row per model and per number of last pixels, each a list over the seeds."""
    results: dict[tuple, list[dict[str, Any]]] = {}
    rates: dict[tuple, float] = {}
    for run in runs:
        key = tuple(run["settings"].get(name) for name in ("kind", "n_train", "last"))
        results.setdefault(key, []).append(run["result"])
        rates[key] = run["settings"]["rate"]

    def columns(found: list[dict[str, Any]], *names: str) -> dict[str, list]:
        return {name: [result[name] for result in found] for name in names}

    def losses_of(n_train: int, trained_on: int, last: int) -> dict[str, Any]:
        key = ("nade", n_train, trained_on)
        found = [result[f"last {last}"] for result in results[key]]
        return {"rate": rates[key]} | columns(found, *found[0])

    models, losses = [], []
    for (kind, n_train, last), found in results.items():
        if last is None:
            gains = [
                paired_interval(ours["log_probs"], theirs["log_probs"])
                for ours, theirs in zip(found, results["sigmoid", n_train, None])
            ]
            row = {"kind": kind, "n_train": n_train, "rate": rates[kind, n_train, last]}
            row |= {"parameters": found[0]["parameters"]} | columns(found, "steps", "test", "train")
            row["gain"] = [_rounded([gain.mean, gain.low, gain.high]) for gain in gains]
            models.append(row | columns(found, "by_pixel", "train_curve", "test_curve"))
        elif last == N_PIXELS:
            for m in LASTS:
                row = {"n_train": n_train, "last": m, "all": losses_of(n_train, N_PIXELS, m)}
                losses.append(row | {"only": losses_of(n_train, m, m)})
            losses.append({"n_train": n_train, "last": last, "all": losses_of(n_train, last, last)})
    return {"models": models, "losses": losses}


def _of_last(run: Fit, last: int) -> dict[str, Any]:
    """A run in numbers, at its best step for the last pixels."""
    best = run.best(last)
    return {
        "steps": run.steps[best],
        "test": _rounded(run.nats[best, 2, -last:].sum()),
        "train": _rounded(run.nats[best, 0, -last:].sum()),
        "train_curve": _rounded(run.nats[:, 0, -last:].sum(dim=-1)),
        "test_curve": _rounded(run.nats[:, 2, -last:].sum(dim=-1)),
    }


def _rounded(values: Any) -> Any:
    return np.round(np.asarray(values, dtype=np.float64), 4).tolist()


def data() -> dict[str, Any]:
    """What a record says about the images."""
    images = load_digits()
    sizes = [len(images.train), len(images.valid), len(images.test)]
    return {"name": "digits, 2 levels", "images": sizes}


EXPERIMENT = Experiment(
    name="marginals",
    chapter=2,
    description="conditionals for each position against a padded history, on binary digits",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "rates": list(RATES),
        "n_steps": N_STEPS,
        "batch": BATCH,
        "evaluate_every": EVALUATE_EVERY,
        "optimizer": "Adam",
    },
    data=data,
    conditions=(*MODELS, *LOSSES),
    tables=tables,
)
