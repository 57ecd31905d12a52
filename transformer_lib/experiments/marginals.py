"""Does it help to learn the conditionals of all positions? The record behind chapter 2.

Two experiments on the binarized digits. In the first, models with a conditional for each position (NADE, the
classic NADE, logistic regressions) compete with one network that reads a padded history. In the second, NADE
is trained on its last conditionals alone or on all of them, and the same last conditionals are compared.
:func:`fit` is one training run; :func:`run` does them all, which takes some ten minutes on one idle core.
"""

import argparse
import copy
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.autoregressive import DensityModel
from transformer_lib.baselines import FeedforwardHistory, FullyVisibleSigmoid
from transformer_lib.data import load_digits
from transformer_lib.metrics import paired_interval
from transformer_lib.nade import NADE, TiedBinaryNADE
from transformer_lib.training import Record, write_record

__all__ = ["KINDS", "RATES", "Fit", "build", "fit", "main", "pixel_order", "run"]

N_PIXELS, BATCH, EVALUATE_EVERY, N_TRAIN = 64, 100, 25, 1097
RATES = (0.001, 0.003, 0.01, 0.03)
SIZES, LASTS = (100, 300, N_TRAIN), (1, 8, 16)
KINDS = ("sigmoid", "padded", "nade", "nade-weights", "classic")
"""Logistic regressions; padding; the slides' NADE, learning its sums or its weights; the classic NADE."""


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
        case "padded":
            return FeedforwardHistory(2, N_PIXELS, 80, generator=generator)
        case "nade" | "nade-weights":
            return NADE(N_PIXELS, 2, 50, learn_sums=kind == "nade", generator=generator)
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
    n_steps: int = 400,
) -> Fit:
    """Train one model with Adam on batches of 100 images, and measure it every 25 steps.

    Parameters
    ----------
    kind
        One of :data:`KINDS`.
    rate
        The learning rate.
    seed
        Draws the initial parameters, the batches and, if ``n_train`` is less than all, the training images.
    n_train
        How many training images to use.
    last
        The loss is the nats of so many last pixels: 64 is the whole image.
    order
        The seed of :func:`pixel_order`.
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


def _fits(kind: str, seeds: Sequence[int], rates: Sequence[float], *, shuffle: bool, **settings) -> tuple:
    """One run a seed, at the rate with the least validation loss at the first seed."""
    last = settings.get("last", N_PIXELS)
    first = {r: fit(kind, r, seeds[0], order=seeds[0] if shuffle else None, **settings) for r in rates}
    rate = min(rates, key=lambda r: first[r].nats[:, 1, -last:].sum(dim=-1).min().item())
    others = [fit(kind, rate, s, order=s if shuffle else None, **settings) for s in seeds[1:]]
    return rate, [first[rate], *others]


def _rounded(values: Tensor | Sequence[float] | np.ndarray, digits: int = 4) -> list:
    return np.round(np.asarray(values, dtype=np.float64), digits).tolist()


def _compare_models(n_train: int, seeds: Sequence[int], rates: Sequence[float], n_steps: int) -> list[dict]:
    result, baseline = [], None
    for kind in KINDS if n_train == N_TRAIN else KINDS[:3]:
        rate, fits = _fits(kind, seeds, rates, shuffle=False, n_train=n_train, n_steps=n_steps)
        log_probs = [f.log_probs() for f in fits]
        baseline = baseline or log_probs
        gains = [paired_interval(a, b) for a, b in zip(log_probs, baseline)]
        row = {
            "kind": kind,
            "n_train": n_train,
            "rate": rate,
            "parameters": sum(p.numel() for p in fits[0].model.parameters()),
            "steps": [f.steps[f.best()] for f in fits],
            "test": _rounded([-v.mean() for v in log_probs]),
            "train": _rounded([f.nats[f.best(), 0].sum() for f in fits]),
            "gain": [_rounded([g.mean, g.low, g.high]) for g in gains],
            "by_pixel": [_rounded(f.nats[f.best(), 2]) for f in fits],
            "train_curve": [_rounded(f.nats[:, 0].sum(dim=-1)) for f in fits],
            "test_curve": [_rounded(f.nats[:, 2].sum(dim=-1)) for f in fits],
        }
        result.append(row)
    return result


def _compare_losses(n_train: int, seeds: Sequence[int], rates: Sequence[float], n_steps: int) -> list[dict]:
    result = []
    settings = {"shuffle": True, "n_train": n_train, "n_steps": n_steps}
    rate_all, trained_on_all = _fits("nade", seeds, rates, **settings)
    for last in (*LASTS, N_PIXELS):
        row = {"n_train": n_train, "last": last}
        runs = {"all": (rate_all, trained_on_all)}
        if last < N_PIXELS:
            runs["only"] = _fits("nade", seeds, rates, last=last, **settings)
        for name, (rate, fits) in runs.items():
            row[name] = {
                "rate": rate,
                "steps": [f.steps[f.best(last)] for f in fits],
                "test": _rounded([f.nats[f.best(last), 2, -last:].sum() for f in fits]),
                "train": _rounded([f.nats[f.best(last), 0, -last:].sum() for f in fits]),
                "train_curve": _rounded([f.nats[:, 0, -last:].sum(dim=-1).tolist() for f in fits]),
                "test_curve": _rounded([f.nats[:, 2, -last:].sum(dim=-1).tolist() for f in fits]),
            }
        result.append(row)
    return result


def run(
    seeds: Sequence[int] = (0, 1, 2, 3, 4),
    *,
    rates: Sequence[float] = RATES,
    n_steps: int = 400,
    processes: int = 1,
    command: Sequence[str] | None = None,
) -> Record:
    """Both experiments; each learning rate is chosen by validation loss at the first seed."""
    start = time.perf_counter()
    with ProcessPoolExecutor(processes, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        models = [pool.submit(_compare_models, n, seeds, rates, n_steps) for n in reversed(SIZES)]
        losses = [pool.submit(_compare_losses, n, seeds, rates[-3:], n_steps) for n in reversed(SIZES)]
        result = {"models": [], "losses": []}
        for name, parts in (("models", models), ("losses", losses)):
            for part in parts:
                result[name] += part.result()
    images = load_digits()
    return Record.of_run(
        config={
            "rates": list(rates),
            "n_steps": n_steps,
            "batch": BATCH,
            "evaluate_every": EVALUATE_EVERY,
            "optimizer": "Adam",
        },
        data={"name": "digits, 2 levels", "images": [len(images.train), len(images.valid), len(images.test)]},
        seeds=list(seeds),
        minutes=(time.perf_counter() - start) / 60,
        curve=[],
        result=result,
        command=command,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run everything and write the record."""
    parser = argparse.ArgumentParser(description="run the experiments of chapter 2 and write their record")
    parser.add_argument("record", type=Path, help="the file to write, as book/records/02_marginals.json")
    parser.add_argument("--processes", type=int, default=1, help="how many to work at once (default: 1)")
    options = parser.parse_args(arguments)
    command = ["python", "-m", "transformer_lib.experiments.marginals", options.record.as_posix()]
    command += ["--processes", str(options.processes)]
    write_record(options.record, run(processes=options.processes, command=command))


if __name__ == "__main__":
    main()
