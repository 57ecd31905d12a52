"""What later models make of the binarized digits: the record behind chapter 3's table.

Networks of finite memory, WaveNets with as long a receptive field, and VQ-VAEs with a prior over their codes,
trained as :mod:`~transformer_lib.experiments.chapter_02.marginals` trains NADE, on the same images.
"""

from pathlib import Path
from typing import Any

import torch

from transformer_lib.density.baselines import FeedforwardHistory
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.vqvae import LARGEST_ENUMERATION, VQVAE, VQVAEConfig
from transformer_lib.experiments.chapter_02.marginals import BATCH, EVALUATE_EVERY, N_STEPS, Fit, data
from transformer_lib.experiments.chapter_02.marginals import fit as fit_digits
from transformer_lib.experiments.chapter_03.compression import digits, nats, train_vqvae
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.interfaces import SequenceModel

__all__ = ["CODES", "EXPERIMENT", "KINDS", "RATES", "build", "fit", "fit_codes", "measure"]

RATES = {"history": (0.003, 0.01), "wavenet": (0.003, 0.01), "codes": (0.003, 0.01, 0.03)}
KINDS = ("history-8", "history-16", "wavenet-4", "wavenet-6", "codes-2", "codes-4")
"""Padded networks by their memory, WaveNets by their layers, VQ-VAEs by the side of their grid of codes."""
CODES = {2: 8, 4: 32}
"""By the side of the grid, how many codes the book has."""


def build(kind: str, seed: int) -> SequenceModel:
    """A fresh network that reads as many pixels as the kind says, or 2 to the power of its layers."""
    name, size = kind.split("-")
    generator = torch.Generator().manual_seed(seed)
    if name == "history":
        return FeedforwardHistory(2, int(size), 80, generator=generator)
    return CausalConvLM(ConvConfig(2, d_model=16, stack_depth=int(size)), generator=generator)


def fit(kind: str, rate: float, seed: int, *, n_steps: int = N_STEPS) -> Fit:
    """One training run, as :func:`~transformer_lib.experiments.chapter_02.marginals.fit` makes it."""
    return fit_digits(kind, rate, seed, n_steps=n_steps, build=build)


def fit_codes(side: int, rate: float, seed: int, *, n_steps: int = N_STEPS) -> tuple[VQVAE, tuple[int, int]]:
    """A VQ-VAE with ``side`` by ``side`` codes, and the best step of each stage, of ``n_steps`` each."""
    train, valid, _ = digits(levels=2)
    shape = {"vocab_size": 2, "latent_height": side, "latent_width": side, "n_codes": CODES[side]}
    generator = torch.Generator().manual_seed(seed)
    model = VQVAE(VQVAEConfig(**shape, d_hidden=16), generator=generator)
    generator = torch.Generator().manual_seed(seed)
    steps, every = (n_steps, n_steps), (EVALUATE_EVERY, EVALUATE_EVERY)
    return model, train_vqvae(model, train, valid, rate=rate, steps=steps, every=every, generator=generator)


def measure(seed: int, folder: Path | None = None, *, kind: str, rate: float) -> dict[str, Any]:
    """Nats per test image at the step of least validation nats; of a VQ-VAE the bound, exact where it can."""
    name, size = kind.split("-")
    if name != "codes":
        run = fit(kind, rate, seed)
        best = run.best()
        return {
            "valid": run.nats[best, 1].sum().item(),
            "test": round(run.nats[best, 2].sum().item(), 4),
            "train": round(run.nats[best, 0].sum().item(), 4),
            "step": run.steps[best],
            "parameters": run.model.n_parameters(),
        }
    _, valid, test = digits(levels=2)
    model, steps = fit_codes(int(size), rate, seed)
    found: dict[str, Any] = {name: round(value, 4) for name, value in nats(model, test).items()}
    found["test"] = found.pop("nats")
    if model.config.n_codes**model.config.n_latents <= LARGEST_ENUMERATION:
        with torch.no_grad():
            found["exact"] = round(-model.exact_log_prob(test).mean().item(), 4)
    return found | {
        "valid": nats(model, valid)["nats"],
        "steps": list(steps),
        "codes used": len(model.encode(test).unique()),
        "parameters": model.n_parameters(),
    }


EXPERIMENT = Experiment(
    name="memory",
    chapter=3,
    description="finite memories, WaveNets and VQ-VAEs on binary digits",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        "rates": {name: list(rates) for name, rates in RATES.items()},
        "n_steps": N_STEPS,
        "batch": BATCH,
        "evaluate_every": EVALUATE_EVERY,
        "optimizer": "Adam",
    },
    data=data,
    conditions=tuple({"kind": kind, "rate": Tuned(RATES[kind.split("-")[0]])} for kind in KINDS),
)
