"""Does it help to learn the conditionals of all positions? The record behind chapter 2.

Models of the binarized digits are trained until they stop improving: both forms of NADE, one network that
reads a padded history, and logistic regressions. NADEs are also trained on the lower half of the image alone,
or on its last row, and judged on these pixels. :func:`fit` is one training run.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lib.data import load_digits
from transformer_lib.density.baselines import FeedforwardHistory, FullyVisibleSigmoid
from transformer_lib.density.nade import NADE, TiedBinaryNADE
from transformer_lib.experiments.running.results import Results
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.interfaces import DensityModel

__all__ = [
    "CONDITIONS",
    "EXPERIMENT",
    "KINDS",
    "PARTS",
    "STILL",
    "Fit",
    "at_best_rate",
    "build",
    "data",
    "fit",
    "measure",
]

N_PIXELS, BATCH, EVALUATE_EVERY, N_STEPS, N_TRAIN, FEW = 64, 100, 25, 400, 1097, 100
LONGEST, SLOWER = 20_000, 100
STILL = "until still"
"""In place of a number of steps: train until nothing improves any more."""

PARTS = {"whole": N_PIXELS, "lower half": 32, "last row": 8}
"""How many of the last pixels belong to each part of an image."""

KINDS = ("sigmoid", "padded", "nade", "nade-weights", "classic", "classic-wide")
"""Logistic regressions; one padded network for all pixels; the slides' NADE, learning its sums or its
weights; the classic NADE with as many hidden units as the slides', or with as many parameters."""


RATES = {
    ("sigmoid", N_TRAIN): (0.01, 0.03, 0.1),
    ("padded", N_TRAIN): (0.0025, 0.005, 0.01, 0.02),
    ("nade", N_TRAIN): (0.0025, 0.005, 0.01, 0.02),
    ("classic-wide", N_TRAIN): (0.005, 0.01, 0.02, 0.04),
    ("nade-weights", N_TRAIN): (0.0025, 0.005, 0.01),
    ("padded", FEW): (0.001, 0.0025, 0.005),
    ("nade", FEW): (0.001, 0.0025, 0.005),
    ("classic-wide", FEW): (0.001, 0.0025, 0.005),
}
"""The rates of each kind that learns the whole image, by the number of training images."""

PART_RATES = {N_TRAIN: (0.01, 0.02), FEW: (0.0025, 0.005)}
"""The rates of a NADE that learns a part alone."""

SHORT = {"sigmoid": 0.03, "padded": 0.01, "nade": 0.01, "classic": 0.03}
"""The rates of the models with which chapters 3 and 8 compare theirs: 400 steps, at a constant rate."""

CONDITIONS: tuple[dict[str, Any], ...] = (
    *(
        {"kind": kind, "images": images, "learned": "whole", "steps": STILL, "rate": rate}
        for (kind, images), rates in RATES.items()
        for rate in rates
    ),
    *(
        {"kind": kind, "images": images, "learned": part, "steps": STILL, "rate": rate}
        for images, rates in PART_RATES.items()
        for kind in ("nade", "classic-wide")
        for part in ("lower half", "last row")
        for rate in rates
    ),
    *(
        {"kind": kind, "images": N_TRAIN, "learned": "whole", "steps": N_STEPS, "rate": rate}
        for kind, rate in SHORT.items()
    ),
)


def build(kind: str, seed: int) -> DensityModel:
    """A fresh model of 64 binary pixels.

    The padded network, the slides' NADE and the wide classic one have about as many parameters. The slides'
    NADE is the same function at the start whichever parameters it learns.

    Raises
    ------
    ValueError
        If ``kind`` is none of :data:`KINDS`.
    """
    generator = torch.Generator().manual_seed(seed)
    match kind:
        case "sigmoid":
            return FullyVisibleSigmoid(N_PIXELS)
        case "padded":
            return FeedforwardHistory(2, N_PIXELS, 80, generator=generator)
        case "nade":
            return NADE(N_PIXELS, 2, 50, generator=generator)
        case "nade-weights":
            sums, weights = build("nade", seed), NADE(N_PIXELS, 2, 50, learn_sums=False)
            assert isinstance(sums, NADE)
            weights.load_slides_parameters(sums.V, sums.c, sums.W, sums.b)
            return weights
        case "classic":
            return TiedBinaryNADE(N_PIXELS, 50, generator=generator)
        case "classic-wide":
            return TiedBinaryNADE(N_PIXELS, 125, generator=generator)
    raise ValueError(f"there is no model {kind!r}; choose one of {', '.join(KINDS)}")


@dataclass(frozen=True)
class Fit:
    """What one training run leaves.

    Attributes
    ----------
    model : DensityModel
        With the parameters of the step at which its loss on the validation images was least.
    steps : list of int
        Where it was measured.
    nats : Tensor
        At each of these steps the mean nats of each pixel, for training, validation and test images.
    """

    model: DensityModel
    steps: list[int]
    nats: Float[Tensor, "steps parts pixels"]

    def best(self, last: int = N_PIXELS) -> int:
        """The index of the step with the least validation nats of the last pixels."""
        return int(self.nats[:, 1, -last:].sum(dim=-1).argmin())

    def is_still(self, last: int = N_PIXELS) -> bool:
        """Whether no part of these last pixels has improved in the last third of the run."""
        parts = (length for length in PARTS.values() if length <= last)
        return all(1.5 * self.steps[self.best(length)] <= self.steps[-1] for length in parts)


def fit(
    kind: str,
    rate: float,
    seed: int,
    *,
    n_train: int = N_TRAIN,
    last: int = N_PIXELS,
    n_steps: int = N_STEPS,
    until_still: bool = False,
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
    n_steps
        How long to train.
    until_still
        Go on after ``n_steps`` until nothing improves, and let the rate fall as ``1 / sqrt(1 + step / 100)``.
    build
        Makes the fresh model of a kind from a seed.
    """
    images = load_digits()
    train, valid, test = (torch.from_numpy(x).long() for x in (images.train, images.valid, images.test))
    generator = torch.Generator().manual_seed(seed)
    train = train[torch.randperm(len(train), generator=generator)[:n_train]]
    model = build(kind, seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    steps, nats, least, kept = [], [], float("inf"), model.state_dict()
    for step in range(1, (LONGEST if until_still else n_steps) + 1):
        if until_still:
            optimizer.param_groups[0]["lr"] = rate / (1 + step / SLOWER) ** 0.5
        batch = train[torch.randint(len(train), (BATCH,), generator=generator)]
        optimizer.zero_grad()
        (-model.conditional_log_probs(batch)[:, -last:].sum(dim=1).mean()).backward()
        optimizer.step()
        if step % EVALUATE_EVERY:
            continue
        with torch.no_grad():
            parts = [model.conditional_log_probs(x) for x in (train[: len(valid)], valid, test)]
        steps.append(step)
        nats.append(torch.stack([-part.mean(dim=0) for part in parts]))
        if (loss := nats[-1][1, -last:].sum().item()) < least:
            least, kept = loss, copy.deepcopy(model.state_dict())
        if until_still and step >= n_steps and Fit(model, steps, torch.stack(nats)).is_still(last):
            break
    model.load_state_dict(kept)
    return Fit(model, steps, torch.stack(nats))


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    kind: str,
    images: int,
    learned: str,
    steps: int | str,
    rate: float,
) -> dict[str, Any]:
    """Nats of each part that was learned, at the step with the least validation nats of this part."""
    last, still = PARTS[learned], steps == STILL
    length = N_STEPS if still else int(steps)
    run = fit(kind, rate, seed, n_train=images, last=last, n_steps=length, until_still=still)
    found: dict[str, Any] = {"parameters": run.model.n_parameters(), "stopped": run.steps[-1]}
    for part, length in PARTS.items():
        if length <= last:
            best = run.best(length)
            train, valid, test = run.nats[best, :, -length:].sum(dim=-1).double().numpy().round(4).tolist()
            found[part] = {"train": train, "valid": valid, "test": test, "step": run.steps[best]}
    return found


def at_best_rate(results: Results, number: str, kind: str, images: int = N_TRAIN) -> list[float]:
    """A number of the record, seed by seed, at the rate with the least validation nats of the whole image."""
    settings = {"kind": kind, "images": images, "learned": "whole", "steps": STILL}
    rates = RATES[kind, images]
    best = min(rates, key=lambda rate: sum(results.values("whole.valid", rate=rate, **settings)))
    return results.values(number, rate=best, **settings)


def data() -> dict[str, Any]:
    """What a record says about the images."""
    images = load_digits()
    sizes = [len(images.train), len(images.valid), len(images.test)]
    return {"name": "digits, 2 levels", "images": sizes}


EXPERIMENT = Experiment(
    name="marginals",
    chapter=2,
    description="NADE against a padded history, and all conditionals against the last, on binary digits",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "batch": BATCH,
        "evaluate_every": EVALUATE_EVERY,
        "longest": LONGEST,
        "optimizer": "Adam",
        "schedule": f"rate / sqrt(1 + step / {SLOWER}) until still, constant for {N_STEPS} steps",
    },
    data=data,
    conditions=CONDITIONS,
)
