"""Pixels or codes at equal compute: the record behind chapter 3's verdict on neural compression.

An autoregressive convolutional network reads the 64 gray pixels of a digit; its rival is a VQ-VAE whose
prior, the same kind of network, reads 16 codes. Both may spend the same number of multiply-adds on training,
counted from the operations that run. What is compared is nats, exact for the one and a bound for the other,
and how far samples are from real digits in the features of a classifier.
"""

import copy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from transformer_lib.data import load_digits
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.vqvae import VQVAE, VQVAEConfig, vqvae_loss
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.interfaces import sample_categorical

__all__ = [
    "BUDGETS",
    "EXPERIMENT",
    "KINDS",
    "RATES",
    "build",
    "costs",
    "descend",
    "digits",
    "fit",
    "frechet_distance",
    "independent_pixels",
    "judge",
    "measure",
    "multiply_adds",
    "nats",
    "picture",
    "train_vqvae",
]

LEVELS, N_PIXELS, N_SAMPLES, BATCH, EVALUATIONS, PATIENCE = 16, 64, 1000, 100, 16, 200
KINDS = ("pixels", "codes")
RATES = {32: (0.003, 0.01, 0.03, 0.1), 128: (0.003, 0.01, 0.03, 0.1), 512: (0.003, 0.01, 0.03)}
BUDGETS = tuple(RATES)
"""Multiply-adds that a training run may take, in units of 1e9; it stops when its loss does not fall."""
SHARE = 0.75
"""The part of the budget that the first stage of the VQ-VAE may spend; its prior has the rest."""

Digits = Int[Tensor, "_ pixels"]


@cache
def digits(levels: int = LEVELS) -> tuple[Digits, Digits, Digits]:
    """The digits for training, validation and test."""
    images = load_digits(levels=levels)
    train, valid, test = (torch.from_numpy(x).long() for x in (images.train, images.valid, images.test))
    return train, valid, test


def build(kind: str, seed: int) -> CausalConvLM | VQVAE:
    """A fresh model of the gray digits, of pixels or of codes; every layer of both has width 32."""
    generator = torch.Generator().manual_seed(seed)
    if kind == "pixels":
        return CausalConvLM(ConvConfig(LEVELS, d_model=32, stack_depth=6), generator=generator)
    return VQVAE(VQVAEConfig(vocab_size=LEVELS, n_codes=32, d_hidden=32), generator=generator)


def multiply_adds(function: Callable[[], Any]) -> int:
    """How many multiplications with an addition the matrix products and convolutions of a call take.

    A backward pass inside the call counts as well; what works number by number does not.
    """
    with FlopCounterMode(display=False) as counter:
        function()
    return counter.get_total_flops() // 2


def descend(
    model: nn.Module,
    loss: Callable[[Int[Tensor, "batch"]], Float[Tensor, ""]],
    score: Callable[[], Float[Tensor, ""]],
    *,
    rate: float,
    n_steps: int,
    every: int,
    generator: torch.Generator,
    n_train: int,
    patience: int | None = None,
) -> int:
    """Adam on batches of 100; leaves the parameters of the step with the least score, and returns that step.

    Parameters
    ----------
    loss
        Of the training examples with these numbers.
    score
        The loss on the validation set, which is measured every ``every`` steps.
    patience
        Stop when the score has not fallen for so many steps; by default never.
    """
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    least, best, kept = float("inf"), 0, copy.deepcopy(model.state_dict())
    for step in range(1, n_steps + 1):
        batch = torch.randint(n_train, (BATCH,), generator=generator)
        optimizer.zero_grad()
        loss(batch).backward()
        optimizer.step()
        if step % every == 0:
            with torch.no_grad():
                found = score().item()
            if found < least:
                least, best, kept = found, step, copy.deepcopy(model.state_dict())
            elif patience is not None and step - best >= patience:
                break
    model.load_state_dict(kept)
    return best


def nats(model: CausalConvLM | VQVAE, x: Digits) -> dict[str, float]:
    """Mean nats of these images; for a VQ-VAE the bound and its two parts."""
    with torch.no_grad():
        if isinstance(model, CausalConvLM):
            return {"nats": -model.log_prob(x).mean().item()}
        codes = -model.prior.log_prob(model.encode(x)).mean().item()
        bound = -model.elbo(x).mean().item()
    return {"nats": bound, "pixels given codes": bound - codes, "codes": codes}


def train_vqvae(
    model: VQVAE,
    train: Digits,
    valid: Digits,
    *,
    rate: float,
    steps: tuple[int, int],
    every: tuple[int, int],
    generator: torch.Generator,
    patience: int | None = None,
) -> tuple[int, int]:
    """Both stages, each stopped by its validation loss: first all but the prior, then the prior on the codes.

    Returns the two best steps.
    """

    def given_codes() -> Float[Tensor, ""]:
        log_probs = model.decode(model.encode(valid)).log_softmax(dim=-1)
        return -log_probs.gather(2, valid[..., None]).sum(dim=(1, 2)).mean()

    common: dict[str, Any] = {
        "rate": rate,
        "generator": generator,
        "n_train": len(train),
        "patience": patience,
    }
    first = descend(
        model,
        lambda batch: vqvae_loss(model, train[batch]),
        given_codes,
        n_steps=steps[0],
        every=every[0],
        **common,
    )
    train_codes, valid_codes = model.encode(train), model.encode(valid)
    second = descend(
        model.prior,
        lambda batch: -model.prior.log_prob(train_codes[batch]).mean(),
        lambda: -model.prior.log_prob(valid_codes).mean(),
        n_steps=steps[1],
        every=every[1],
        **common,
    )
    return first, second


def fit(kind: str, budget: int, rate: float, seed: int) -> tuple[CausalConvLM | VQVAE, list[int], list[int]]:
    """One model trained with ``budget`` thousand million multiply-adds at most.

    Also the steps that they allow, and the best step, both stage by stage.
    """
    train, valid, _ = digits()
    model, generator = build(kind, seed), torch.Generator().manual_seed(seed)

    def n_steps(share: float, step: Callable[[], Any]) -> int:
        return max(1, int(share * budget * 1e9 / multiply_adds(step)))

    def every(n_steps: int) -> int:
        return max(1, n_steps // EVALUATIONS)

    if isinstance(model, CausalConvLM):
        pixels = model
        steps = [n_steps(1.0, lambda: (-pixels.log_prob(train[:BATCH]).mean()).backward())]
        best = descend(
            pixels,
            lambda batch: -pixels.log_prob(train[batch]).mean(),
            lambda: -pixels.log_prob(valid).mean(),
            rate=rate,
            n_steps=steps[0],
            every=every(steps[0]),
            generator=generator,
            n_train=len(train),
            patience=PATIENCE,
        )
        return model, steps, [best]
    vqvae, codes = model, model.encode(train[:BATCH])
    first = n_steps(SHARE, lambda: vqvae_loss(vqvae, train[:BATCH]).backward())
    second = n_steps(1 - SHARE, lambda: (-vqvae.prior.log_prob(codes).mean()).backward())
    vqvae.zero_grad()
    best_steps = train_vqvae(
        vqvae,
        train,
        valid,
        rate=rate,
        steps=(first, second),
        every=(every(first), every(second)),
        generator=generator,
        patience=PATIENCE,
    )
    return model, [first, second], list(best_steps)


@cache
def judge() -> nn.Sequential:
    """A classifier of the gray digits, trained on the real ones: its last hidden layer has 32 units."""
    images, (train, _, _) = load_digits(levels=LEVELS), digits()
    labels = torch.from_numpy(images.train_labels).long()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = nn.Sequential(
            nn.Linear(N_PIXELS, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10)
        )
    optimizer, generator = torch.optim.Adam(model.parameters(), lr=0.003), torch.Generator().manual_seed(0)
    for _ in range(400):
        batch = torch.randint(len(train), (BATCH,), generator=generator)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(_shades(train[batch])), labels[batch]).backward()
        optimizer.step()
    return model.requires_grad_(False)


def frechet_distance(x: Digits, y: Digits) -> float:
    r"""How far two sets of images are apart in the last hidden layer of :func:`judge`.

    .. math::
        \lVert \mu_x - \mu_y \rVert^2 + \mathrm{tr}\big(C_x + C_y - 2 (C_x C_y)^{1/2}\big)

    with the means and the covariances of its 32 units over the images.

    Source: Heusel et al. (2017), equation (6)
    """
    seen = judge()[:-1]
    features = [seen(_shades(images)).double() for images in (x, y)]
    means = [f.mean(dim=0) for f in features]
    covariances = [torch.cov(f.T) for f in features]
    eigenvalues = torch.linalg.eigvals(covariances[0] @ covariances[1]).real
    traces = sum(covariance.trace() for covariance in covariances)
    traces = traces - 2 * eigenvalues.clamp(min=0).sqrt().sum()
    return float((means[0] - means[1]).square().sum() + traces)


def independent_pixels(x: Digits, n: int, generator: torch.Generator) -> Digits:
    """``n`` images whose pixels are drawn one by one from those of ``x`` at the same place."""
    rows = torch.randint(len(x), (n, x.shape[1]), generator=generator)
    return x.gather(0, rows)


def picture(images: Digits) -> list[str]:
    """Images of 16 gray levels as strings of hexadecimal digits, a pixel each."""
    return ["".join(f"{pixel:x}" for pixel in image) for image in images.tolist()]


def measure(seed: int, folder: Path | None = None, *, kind: str, budget: int, rate: float) -> dict[str, Any]:
    """Nats, the distance of samples from the test images, and what training and sampling cost."""
    _, valid, test = digits()
    model, steps, best = fit(kind, budget, rate, seed)
    generator = torch.Generator().manual_seed(seed)
    found: dict[str, Any] = {
        "valid": nats(model, valid)["nats"],
        "steps": steps,
        "best": best,
        "test": nats(model, test),
    }
    if isinstance(model, CausalConvLM):
        samples = model.sample(N_SAMPLES, N_PIXELS, generator=generator)
        cost = multiply_adds(lambda: model.logits(test[:1]))
    else:
        samples = model.sample(N_SAMPLES, generator=generator)
        codes = model.encode(test)
        cost = multiply_adds(lambda: (model.prior.logits(codes[:1]), model.decode(codes[:1])))
        logits = model.decode(codes)
        again = sample_categorical(logits.flatten(0, 1).detach(), generator).reshape(test.shape)
        found |= {
            "codes used": len(codes.unique()),
            "distance again": round(frechet_distance(again, test), 4),
        }
        if seed == 0:
            found["again"] = picture(logits[:8].argmax(dim=-1))
    if seed == 0:
        found["samples"] = picture(samples[:8])
    return found | {
        "distance": round(frechet_distance(samples, test), 4),
        "parameters": model.n_parameters(),
        "sampling": cost / 1e6,
    }


def costs(side: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Multiply-adds for an image of ``side`` by ``side`` gray pixels: of one pass, and of one sample.

    Each is that of a network of pixels whose memory is the whole image, and that of a VQ-VAE with a quarter
    as many codes; all hidden layers have width 32.
    """
    x, small = torch.randint(LEVELS, (1, side**2)), side // 2
    depth = (side**2 - 1).bit_length()
    pixels = CausalConvLM(ConvConfig(LEVELS, d_model=32, stack_depth=depth))
    vqvae = VQVAE(VQVAEConfig(side, side, LEVELS, small, small, n_codes=32, d_hidden=32))
    codes = vqvae.encode(x)
    direct, prior, all_but, decoder = (
        multiply_adds(function)
        for function in (
            lambda: pixels.logits(x),
            lambda: vqvae.prior.logits(codes),
            lambda: vqvae(x),
            lambda: vqvae.decode(codes),
        )
    )
    return (direct, all_but + prior), (direct, prior + decoder)


def _shades(x: Digits) -> Float[Tensor, "_ pixels"]:
    return x.float() / (LEVELS - 1)


def _data() -> dict[str, Any]:
    return {"name": "digits, 16 levels", "images": [len(part) for part in digits()]}


EXPERIMENT = Experiment(
    name="compression",
    chapter=3,
    description="a network of gray pixels against a VQ-VAE with a prior over codes, at equal compute",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "first stage": SHARE,
        "batch": BATCH,
        "evaluations": EVALUATIONS,
        "patience": PATIENCE,
        "samples": N_SAMPLES,
        "optimizer": "Adam",
    },
    data=_data,
    conditions=tuple(
        {"kind": kind, "budget": budget, "rate": rate}
        for budget, rates in RATES.items()
        for kind in KINDS
        for rate in rates
    ),
)
