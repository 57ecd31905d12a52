r"""Fixed binarized MNIST at the size of the papers: the record behind the last table of chapter 3.

The same 50,000 images, the same 10,000 for the test, and the same 500 hidden units as Larochelle and Murray
(2011). An image is 784 pixels and mostly blank, and a blank pixel leaves the running sum of the classic NADE
as it was: :func:`sparse_log_probs` computes a hidden layer only where a pixel has changed it, which gives the
same number for a tenth of the work.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int, UInt8
from torch import Tensor
from torch.nn import functional as F

from transformer_lib.data import load_images
from transformer_lib.data.digits import Images
from transformer_lib.density.baselines import BernoulliPixels, FullyVisibleSigmoid
from transformer_lib.density.nade import TiedBinaryNADE
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.interfaces import DensityModel
from transformer_lib.metrics import mean_and_interval
from transformer_lib.training import TrainingConfig, train
from transformer_lib.training.checkpoints import holds_run
from transformer_lib.training.progress import shows_progress

__all__ = ["CONDITIONS", "EXPERIMENT", "EpochBatches", "images", "measure", "sparse_log_probs"]

D_HIDDEN, BATCH, CHUNK, WATCHED = 500, 100, 28, 2_000
CONDITIONS = (
    {"kind": "bernoulli", "epochs": 0, "rate": 0.0, "decay": 0.0},
    {"kind": "sigmoid", "epochs": 20, "rate": 0.003, "decay": 0.0},
    {"kind": "nade", "epochs": 20, "rate": 0.01, "decay": 0.05},
)
"""Independent pixels, logistic regressions, and the classic NADE with 500 hidden units."""


@cache
def images() -> Images:
    """The images, read and checked once."""
    return load_images("binarized-mnist")


@dataclass(frozen=True)
class EpochBatches:
    """Batches of images by number; each epoch deals every image once, in an order of its own."""

    images: UInt8[np.ndarray, "images pixels"]
    size: int
    seed: int

    def batch(self, step: int) -> Int[Tensor, "batch pixels"]:
        """Batch number ``step``, from 0 on."""
        epoch, place = divmod(step, len(self.images) // self.size)
        order = np.random.default_rng([self.seed, epoch]).permutation(len(self.images))
        return _tokens(self.images[order[place * self.size : (place + 1) * self.size]])


def sparse_log_probs(model: TiedBinaryNADE, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time"]:
    r""":math:`\log p(x_t \mid x_{<t})` of the classic NADE, in nats, for images that are mostly 0.

    Within a few pixels, :math:`h_t` is that of the last pixel that was on, so it is computed once for each of
    them, and its products with the :math:`W_t` of all these pixels are one product of matrices.

    Source: H. Larochelle and I. Murray, The Neural Autoregressive Distribution Estimator, AISTATS 2011.
    """
    on, read = x.to(model.V.dtype), model.c.expand(len(x), -1)
    logits = []
    for start in range(0, x.shape[1], CHUNK):
        now = on[:, start : start + CHUNK]
        end = start + now.shape[1]
        place, V, W = torch.arange(end - start, device=x.device), model.V[start:end], model.W[start:end]
        changes = torch.cat([torch.ones_like(now[:, :1]), now[:, :-1]], dim=1).bool()
        image, since = changes.nonzero(as_tuple=True)
        seen = now[image] * (place < since[:, None])
        hidden = torch.sigmoid(torch.addmm(read[image], seen, V))
        layer = changes.flatten().cumsum(dim=0).view_as(changes) - 1
        logits.append((hidden @ W.T)[layer, place])
        read = torch.addmm(read, now, V)
    length = x.shape[1]
    return F.logsigmoid((2 * on - 1) * (torch.cat(logits, dim=1) + model.b[:length]))


def measure(seed: int, folder: Path, *, kind: str, epochs: int, rate: float, decay: float) -> dict[str, Any]:
    """Nats per test image of one model, at the epoch of least validation nats; resumes from ``folder``."""
    data, model = images(), _model(kind, seed)
    log_probs = _log_probs_of(model)
    found: dict[str, Any] = {"parameters": model.n_parameters()}
    if epochs:
        per_epoch = len(data.train) // BATCH
        config = TrainingConfig(
            steps=epochs * per_epoch,
            learning_rate=rate,
            warmup_steps=per_epoch,
            weight_decay=decay,
            beta2=0.999,
            clip_norm=None,
            evaluate_every=per_epoch,
            device="cpu",
            seed=seed,
        )
        watched = data.valid[:WATCHED]
        trained = train(
            model,
            lambda _, batch: -log_probs(batch).sum(dim=1).mean(),
            EpochBatches(data.train, BATCH, seed),
            config,
            evaluate=lambda _: -_scores(log_probs, watched).mean(),
            run_dir=folder,
            resume=holds_run(folder),
            progress=shows_progress(),
        )
        assert trained.best is not None
        found |= {"epoch": trained.best.step // per_epoch, "train": round(trained.best.training_loss, 4)}
        found["curve"] = [
            {
                "epoch": point.step // per_epoch,
                "train": round(point.training_loss, 4),
                "valid": round(point.validation_loss or math.nan, 4),
            }
            for point in trained.evaluations
        ]
    nats = -_scores(log_probs, data.test)
    interval = mean_and_interval(nats.tolist())
    found |= {"test": round(interval.mean, 4), "test_half_width": round(interval.high - interval.mean, 4)}
    return found | {"valid": round(-_scores(log_probs, data.valid).mean(), 4)}


def data() -> dict[str, Any]:
    """What a record says about the images."""
    parts = images()
    sizes = [len(parts.train), len(parts.valid), len(parts.test)]
    return {"name": "binarized-mnist", "images": sizes, "watched": WATCHED}


def _model(kind: str, seed: int) -> DensityModel:
    """A fresh model; each begins with the mean image as the bias of its outputs."""
    train = _tokens(images().train)
    marginals = BernoulliPixels(train.shape[1]).fit(train)
    model: Any = marginals
    if kind == "sigmoid":
        model = FullyVisibleSigmoid(train.shape[1])
    elif kind == "nade":
        model = TiedBinaryNADE(train.shape[1], D_HIDDEN, generator=torch.Generator().manual_seed(seed))
    with torch.no_grad():
        model.b.copy_(marginals.b)
    return model


def _log_probs_of(model: Any) -> Callable[[Tensor], Tensor]:
    if isinstance(model, TiedBinaryNADE):
        return lambda x: sparse_log_probs(model, x)
    return model.conditional_log_probs


@torch.no_grad()
def _scores(log_probs: Callable[[Tensor], Tensor], x: UInt8[np.ndarray, "images pixels"]) -> np.ndarray:
    """Log-probability of each image."""
    parts = (log_probs(_tokens(part)).double().sum(dim=1) for part in np.array_split(x, len(x) // BATCH))
    return torch.cat(list(parts)).numpy()


def _tokens(x: UInt8[np.ndarray, "images pixels"]) -> Int[Tensor, "images pixels"]:
    return torch.from_numpy(x).long()


EXPERIMENT = Experiment(
    name="binarized-mnist",
    chapter=3,
    description="independent pixels, logistic regressions and NADE on fixed binarized MNIST, in full size",
    measure=measure,
    seeds=(0,),
    config={"d_hidden": D_HIDDEN, "batch": BATCH, "optimizer": "AdamW", "schedule": "cosine"},
    data=data,
    conditions=CONDITIONS,
)
