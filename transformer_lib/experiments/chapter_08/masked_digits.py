"""A Transformer as a NADE of the binarized digits, with its mask and without: the records behind chapter 8.

The first experiment trains a small causal Transformer as
:mod:`~transformer_lib.experiments.chapter_02.marginals` trains NADE, on the same images, beside both forms of
NADE, all three times as long as there. The second leaves the mask out, so that every prediction sees its own
answer, and asks what such a model knows when it does not.
"""

from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.data import load_digits
from transformer_lib.experiments.chapter_02.marginals import BATCH, EVALUATE_EVERY, N_PIXELS, Fit, data
from transformer_lib.experiments.chapter_02.marginals import build as build_nade
from transformer_lib.experiments.chapter_02.marginals import fit as fit_digits
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.interfaces import DensityModel, SequenceModel
from transformer_lib.padding import shift_right
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask

__all__ = [
    "KINDS",
    "LENGTHS",
    "MASKS",
    "PEEKING",
    "RATES",
    "TRANSFORMER",
    "build",
    "fit",
    "measure",
    "measure_peeking",
    "nats_without_answers",
    "peek",
]

KINDS, LENGTHS, RATES = ("transformer", "classic", "nade"), (400, 1200), (0.001, 0.003, 0.01)
MASKS = {"causal": Mask.causal(), "none": Mask.full()}
PEEKING_STEPS, PEEKING_TEST = (100, 200, 300), 200


def build(kind: str, seed: int) -> DensityModel:
    """A fresh Transformer of 64 binary pixels, without a mask if ``unmasked``; or a model of chapter 2.

    It has about as many parameters as the lecture's NADE.
    """
    if kind not in ("transformer", "unmasked"):
        return build_nade(kind, seed)
    shape = {"d_model": 24, "n_heads": 2, "n_layers": 2, "d_ff": 96, "activation": "relu"}
    config = TransformerConfig.from_dict({"vocab_size": 2, "context_length": N_PIXELS} | shape)
    mask = MASKS["causal" if kind == "transformer" else "none"]
    return DecoderLM(config, mask=mask, generator=torch.Generator().manual_seed(seed))


def fit(kind: str, rate: float, seed: int, *, n_steps: int = LENGTHS[-1]) -> Fit:
    """One training run, as :func:`~transformer_lib.experiments.chapter_02.marginals.fit` makes it."""
    return fit_digits(kind, rate, seed, n_steps=n_steps, build=build)


def measure(seed: int, folder: Path | None = None, *, kind: str, rate: float) -> dict[str, Any]:
    """Nats per test image, at the step of least validation nats among the first 400 and among all."""
    run = fit(kind, rate, seed)
    valid, test = run.nats[:, 1].sum(dim=-1), run.nats[:, 2].sum(dim=-1)
    found: dict[str, Any] = {"valid": valid.min().item(), "parameters": run.model.n_parameters()}
    for length in LENGTHS:
        best = int(valid[: length // EVALUATE_EVERY].argmin())
        train = run.nats[best, 0].sum().item()
        found[str(length)] = {
            "test": round(test[best].item(), 4),
            "train": round(train, 4),
            "step": run.steps[best],
        }
    found["test_curve"] = [round(nats, 4) for nats in test.tolist()]
    images = run.model.sample(12, N_PIXELS, generator=torch.Generator().manual_seed(seed))
    found["samples"] = ["".join(map(str, image)) for image in images.tolist()]
    return found


@torch.no_grad()
def nats_without_answers(model: SequenceModel, x: Int[Tensor, "images pixels"]) -> Float[Tensor, "images"]:
    """Nats of each image when every pixel is predicted from a pass over the pixels before it alone."""
    inputs, nats = shift_right(x, model.start_token), torch.zeros(len(x))
    for t in range(x.shape[1]):
        log_probs = model.logits(inputs[:, : t + 1])[:, -1].log_softmax(dim=-1)
        nats -= log_probs.gather(1, x[:, t, None])[:, 0]
    return nats


def peek(seed: int, *, mask: str, rate: float, steps: int = PEEKING_STEPS[-1]) -> dict[str, dict[str, float]]:
    """Train with or without the mask; nats per test image with the answers in sight and without them."""
    images = load_digits()
    train, test = (torch.from_numpy(part).long() for part in (images.train, images.test[:PEEKING_TEST]))
    model = build("transformer" if mask == "causal" else "unmasked", seed)
    assert isinstance(model, SequenceModel)
    generator, found = torch.Generator().manual_seed(seed), {}
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for step in range(1, steps + 1):
        batch = train[torch.randint(len(train), (BATCH,), generator=generator)]
        optimizer.zero_grad()
        (-model.log_prob(batch).mean()).backward()
        optimizer.step()
        if step in PEEKING_STEPS:
            with torch.no_grad():
                seen = -model.log_prob(test).mean().item()
            unseen = nats_without_answers(model, test).mean().item()
            found[str(step)] = {"seen": round(seen, 4), "unseen": round(unseen, 4)}
    return found


def measure_peeking(
    seed: int, folder: Path | None = None, *, mask: str, rate: float
) -> dict[str, dict[str, float]]:
    """Nats per test image with the answers in sight and without them, after each number of steps."""
    return peek(seed, mask=mask, rate=rate)


TRANSFORMER = Experiment(
    name="digits-transformer",
    chapter=8,
    description="a causal Transformer and both forms of NADE on binary digits, after 400 and 1,200 steps",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "rates": list(RATES),
        "steps": list(LENGTHS),
        "batch": BATCH,
        "evaluate_every": EVALUATE_EVERY,
        "optimizer": "Adam",
    },
    data=data,
    conditions=tuple({"kind": kind, "rate": Tuned(RATES)} for kind in KINDS),
)
PEEKING = Experiment(
    name="peeking",
    chapter=8,
    description="a Transformer of binary digits trained with and without the mask",
    measure=measure_peeking,
    seeds=(0, 1, 2, 3, 4),
    config={"steps": list(PEEKING_STEPS), "batch": BATCH, "test": PEEKING_TEST, "optimizer": "Adam"},
    data=data,
    conditions=(
        {"mask": "causal", "rate": 0.003},
        {"mask": "none", "rate": 0.003},
        {"mask": "none", "rate": 0.01},
    ),
)
