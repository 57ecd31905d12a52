"""What models draw below the upper half of a digit: the record behind chapter 2's first answer.

The lower halves of the test images are drawn by independent pixels, by logistic regressions and by the
classic NADE that the chapter trains. Each image is then read as the digit of the training image that is
nearest, and the more of an image's drawings are read alike, the surer the model is.
"""

from pathlib import Path
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn import functional as F

from transformer_lib.data import load_digits
from transformer_lib.density.baselines import BernoulliPixels
from transformer_lib.experiments.chapter_02.marginals import N_PIXELS, data, fit
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.interfaces import DensityModel

__all__ = ["AGREEING", "DRAWINGS", "EXPERIMENT", "MODELS", "complete", "measure", "nearest_digit"]

KNOWN, DRAWINGS = 32, 20
MODELS = {"sigmoid": (0.03, 500), "classic-wide": (0.01, 1000)}
"""The kinds that are trained, each with its rate and its steps, as in the chapter."""

AGREEING = {"all 20": (20, 20), "15 to 19": (15, 19), "10 to 14": (10, 14), "fewer": (1, 9)}
"""Groups of images by how many of their drawings are read as one digit."""


@torch.no_grad()
def complete(
    model: DensityModel, x: Int[Tensor, "n pixels"], known: int, generator: torch.Generator
) -> Int[Tensor, "n pixels"]:
    """Keep the first ``known`` pixels of each image, and draw the others in order."""
    x = x.clone()
    for t in range(known, x.shape[1]):
        x[:, t] = 1
        p_ink = model.conditional_log_probs(x[:, : t + 1])[:, t].exp()
        x[:, t] = torch.bernoulli(p_ink, generator=generator).long()
    return x


def nearest_digit(
    x: Int[Tensor, "n pixels"], images: Int[Tensor, "known pixels"], labels: Int[Tensor, "known"]
) -> Int[Tensor, "n"]:
    """The label of the image that differs from each ``x`` in the fewest pixels."""
    return labels[torch.cdist(x.float(), images.float(), p=1).argmin(dim=1)]


def measure(seed: int, folder: Path | None = None) -> dict[str, Any]:
    """For each model: how many drawings are read as the right digit, how alike they are, and the vote.

    ``agreement`` is the mean share of an image's drawings that are read as its most frequent digit, and
    ``vote`` how often that digit is right. ``nats`` are those of the lower half, which need no reader. The
    last model, NADE, has them by groups as well.
    """
    images = load_digits()
    train, test = (torch.from_numpy(x).long() for x in (images.train, images.test))
    assert images.train_labels is not None and images.test_labels is not None
    known, right = (torch.from_numpy(x).long() for x in (images.train_labels, images.test_labels))
    generator = torch.Generator().manual_seed(seed)
    models: dict[str, DensityModel] = {"bernoulli": BernoulliPixels(N_PIXELS).fit(train)}
    models |= {kind: fit(kind, rate, seed, n_steps=n).model for kind, (rate, n) in MODELS.items()}
    found: dict[str, Any] = {
        "right": {
            "real": _share(nearest_digit(test, train, known) == right),
            "upper half alone": _share(nearest_digit(test[:, :KNOWN], train[:, :KNOWN], known) == right),
        }
    }
    for kind, model in models.items():
        drawings = [complete(model, test, KNOWN, generator) for _ in range(DRAWINGS)]
        read = torch.stack([nearest_digit(drawing, train, known) for drawing in drawings])
        votes, most_frequent = F.one_hot(read, 10).sum(dim=0).max(dim=1)
        found["right"][kind] = _share(read == right)
        with torch.no_grad():
            nats = -model.conditional_log_probs(test)[:, KNOWN:].sum(dim=1).mean().item()
        found[kind] = {
            "nats": round(nats, 4),
            "vote": _share(most_frequent == right),
            "agreement": round(votes.double().mean().item() / DRAWINGS, 4),
        }
    for name, (least, most) in AGREEING.items():
        group = (least <= votes) & (votes <= most)
        found[name] = {
            "images": int(group.sum()),
            "agreement": round(votes[group].double().mean().item() / DRAWINGS, 4),
            "right": _share(most_frequent[group] == right[group]),
        }
    return found


def _share(right: Tensor) -> float:
    return round(right.double().mean().item(), 4)


EXPERIMENT = Experiment(
    name="half-digits",
    chapter=2,
    description="lower halves of digits drawn by three models, and read as digits",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"known": KNOWN, "drawings": DRAWINGS} | {kind: list(of) for kind, of in MODELS.items()},
    data=data,
)
