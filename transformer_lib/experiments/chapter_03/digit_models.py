"""What a longer memory is worth on the binarized digits: nats, and covered halves that are finished right.

WaveNets of three memories, the same told the place of each pixel, a PixelCNN, the classic NADE, and VQ-VAEs
with a prior over their codes. Each is trained until its loss on the validation images has stopped falling.
"""

from functools import cache, partial
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from transformer_lib.checks import check_tokens
from transformer_lib.data import load_digits
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.nade import TiedBinaryNADE
from transformer_lib.density.vqvae import LARGEST_ENUMERATION, VQVAE, VQVAEConfig
from transformer_lib.experiments.chapter_03.compression import (
    BATCH,
    descend,
    digits,
    nats,
    picture,
    train_vqvae,
)
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.initialization import embedding, projection
from transformer_lib.interfaces import DensityModel, SequenceModel

__all__ = [
    "EXPERIMENT",
    "KINDS",
    "N_GIVEN",
    "MaskedConv2d",
    "PixelCNN",
    "PlacedConvLM",
    "build",
    "finish",
    "fit",
    "fit_codes",
    "lower_half_reader",
    "measure",
]

SIDE, N_GIVEN, WIDTH, N_STEPS, EVERY, SHOWN = 8, 32, 16, 800, 25, 8
RATES = (0.003, 0.01, 0.03)
CODES = {2: 8, 4: 32}
"""By the side of the grid, how many codes the book has."""
KINDS = (
    *(f"{name}-{layers}" for name in ("wavenet", "placed") for layers in (3, 4, 6)),
    "pixelcnn-6",
    "nade-50",
    *(f"codes-{side}" for side in CODES),
)
"""WaveNets and PixelCNN by their layers, NADE by its hidden units, VQ-VAEs by the side of their grid."""


class PlacedConvLM(CausalConvLM):
    """A causal convolutional network that is told the place of each pixel: a vector is added to its input."""

    init_state = SequenceModel.init_state
    step = SequenceModel.step
    read = SequenceModel.read

    def __init__(self, config: ConvConfig, n_places: int, *, generator: Generator | None = None) -> None:
        super().__init__(config, generator=generator)
        self.context_length = n_places
        self.places = embedding(n_places, config.d_model, std=1.0, generator=generator)

    def _embed(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time d_model"]:
        return super()._embed(tokens) + self.places.weight[: tokens.shape[1]]


class MaskedConv2d(nn.Conv2d):
    """A convolution of 3 by 3 that reads the row above and the pixel to the left, or itself as well.

    Source: van den Oord et al. (2016b), section 3.1: masks A and B
    """

    mask: Tensor

    def __init__(self, d_in: int, d_out: int, reads_itself: bool) -> None:
        super().__init__(d_in, d_out, 3, padding=1, bias=False)
        now = int(reads_itself)
        mask = torch.tensor([[1, 1, 1], [1, now, 0], [0, 0, 0]])
        self.register_buffer("mask", mask)

    def forward(
        self, x: Float[Tensor, "batch d_in height width"]
    ) -> Float[Tensor, "batch d_out height width"]:
        """The masked sum at every pixel, zeros outside the image."""
        return F.conv2d(x, self.weight * self.mask, padding=1)


class PixelCNN(DensityModel):
    """Gated layers as WaveNet's, of masked convolutions; the first does not read the pixel itself.

    Source: van den Oord et al. (2016b), section 3
    """

    vocab_size = 2

    def __init__(self, d_model: int, n_layers: int, *, generator: Generator | None = None) -> None:
        super().__init__()
        self.token_embedding = embedding(2, d_model, std=1.0, generator=generator)
        layers = [MaskedConv2d(d_model, 2 * d_model, reads_itself=layer > 0) for layer in range(n_layers)]
        for layer in layers:
            nn.init.normal_(layer.weight, std=(5 * d_model) ** -0.5, generator=generator)
        self.layers = nn.ModuleList(layers)
        one = partial(projection, bias=False, generator=generator)
        self.mixes = nn.ModuleList(one(d_model, d_model) for _ in range(n_layers))
        self.hidden, self.head = one(d_model, d_model), one(d_model, 2)

    def logits(self, x: Int[Tensor, "batch pixels"]) -> Float[Tensor, "batch pixels vocab"]:
        """Unnormalized log-probabilities of each pixel given those before it."""
        check_tokens(x, 2)
        line = self.token_embedding(x)
        total = torch.zeros_like(line)
        for convolution, mix in zip(self.layers, self.mixes):
            grid = line.mT.unflatten(2, (-1, SIDE))
            content, gate = convolution(grid).flatten(2).mT.chunk(2, dim=-1)
            total = total + mix(content.tanh() * gate.sigmoid())
            line = total  # without the embedding, which holds the pixel itself
        return self.head(self.hidden(total.relu()).relu())

    def conditional_log_probs(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time"]:
        r""":math:`\log p(x_t \mid x_{<t})` for every :math:`t`, in nats."""
        return self.logits(x).log_softmax(dim=-1).gather(2, x[..., None]).squeeze(2)

    @torch.no_grad()
    def sample(self, n: int, length: int, *, generator: Generator | None = None) -> Int[Tensor, "n length"]:
        """``n`` independent images, pixel after pixel."""
        return finish(self, torch.zeros(n, length, dtype=torch.long), 0, generator=generator)


def build(kind: str, seed: int) -> DensityModel:
    """A fresh model of one of the :data:`KINDS`, but for the VQ-VAEs."""
    name, size = kind.split("-")
    generator = torch.Generator().manual_seed(seed)
    if name == "nade":
        return TiedBinaryNADE(SIDE**2, int(size), generator=generator)
    if name == "pixelcnn":
        return PixelCNN(WIDTH, int(size), generator=generator)
    config = ConvConfig(2, d_model=WIDTH, stack_depth=int(size))
    if name == "placed":
        return PlacedConvLM(config, SIDE**2, generator=generator)
    return CausalConvLM(config, generator=generator)


def fit(kind: str, rate: float, seed: int, *, n_steps: int = N_STEPS) -> tuple[DensityModel, int]:
    """One training run: the model at the step of least validation nats, and that step."""
    train, valid, _ = digits(levels=2)
    model = build(kind, seed)
    step = descend(
        model,
        lambda batch: -model.log_prob(train[batch]).mean(),
        lambda: -model.log_prob(valid).mean(),
        rate=rate,
        n_steps=n_steps,
        every=EVERY,
        generator=torch.Generator().manual_seed(seed),
        n_train=len(train),
    )
    return model, step


def fit_codes(side: int, rate: float, seed: int, *, n_steps: int = N_STEPS) -> tuple[VQVAE, tuple[int, int]]:
    """A VQ-VAE with ``side`` by ``side`` codes, and the best step of each stage, of ``n_steps`` each."""
    train, valid, _ = digits(levels=2)
    shape = {"vocab_size": 2, "latent_height": side, "latent_width": side, "n_codes": CODES[side]}
    generator = torch.Generator().manual_seed(seed)
    model = VQVAE(VQVAEConfig(**shape, d_hidden=WIDTH), generator=generator)
    generator = torch.Generator().manual_seed(seed)
    steps, every = (n_steps, n_steps), (EVERY, EVERY)
    return model, train_vqvae(model, train, valid, rate=rate, steps=steps, every=every, generator=generator)


@torch.no_grad()
def finish(
    model: DensityModel, x: Int[Tensor, "images pixels"], n_given: int, *, generator: Generator | None = None
) -> Int[Tensor, "images pixels"]:
    """Draw the pixels after the first ``n_given``, one after another, each given all before it."""
    x = x.clone()
    x[:, n_given:] = 0
    for t in range(n_given, x.shape[1]):
        no_ink = model.conditional_log_probs(x)[:, t].exp()
        x[:, t] = torch.bernoulli(1 - no_ink.clamp(max=1), generator=generator).long()
    return x


@cache
def lower_half_reader() -> nn.Sequential:
    """A classifier that sees only the lower half of a digit, trained on the real ones."""
    images, (train, _, _) = load_digits(), digits(levels=2)
    labels = torch.from_numpy(images.train_labels).long()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(SIDE**2 - N_GIVEN, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer, generator = torch.optim.Adam(model.parameters(), lr=0.003), torch.Generator().manual_seed(0)
    for _ in range(400):
        batch = torch.randint(len(train), (BATCH,), generator=generator)
        optimizer.zero_grad()
        F.cross_entropy(model(train[batch, N_GIVEN:].float()), labels[batch]).backward()
        optimizer.step()
    return model.requires_grad_(False)


def share_read_right(x: Int[Tensor, "images pixels"]) -> float:
    """The share of these forms of the test images whose lower half is read as the digit that it should be."""
    labels = torch.from_numpy(load_digits().test_labels).long()
    return (lower_half_reader()(x[:, N_GIVEN:].float()).argmax(dim=1) == labels).double().mean().item()


def measure(seed: int, folder: Path | None = None, *, kind: str, rate: float) -> dict[str, Any]:
    """Nats per test image at the step of least validation nats; finished halves; of a VQ-VAE the bound."""
    name, size = kind.split("-")
    _, valid, test = digits(levels=2)
    generator = torch.Generator().manual_seed(seed)
    if name != "codes":
        model, step = fit(kind, rate, seed)
        finished = finish(model, test, N_GIVEN, generator=generator)
        with torch.no_grad():
            loss = {part: -model.log_prob(x).mean().item() for part, x in (("valid", valid), ("test", test))}
        return {
            "valid": loss["valid"],
            "test": round(loss["test"], 4),
            "step": step,
            "parameters": model.n_parameters(),
            "finished right": round(share_read_right(finished), 4),
            "finished": picture(finished[:SHOWN]),
            "samples": picture(finish(model, torch.zeros_like(test[:SHOWN]), 0, generator=generator)),
        }
    vqvae, steps = fit_codes(int(size), rate, seed)
    found: dict[str, Any] = {name: round(value, 4) for name, value in nats(vqvae, test).items()}
    found["test"] = found.pop("nats")
    if vqvae.config.n_codes**vqvae.config.n_latents <= LARGEST_ENUMERATION:
        with torch.no_grad():
            found["exact"] = round(-vqvae.exact_log_prob(test).mean().item(), 4)
    return found | {
        "valid": nats(vqvae, valid)["nats"],
        "steps": list(steps),
        "codes used": len(vqvae.encode(test).unique()),
        "parameters": vqvae.n_parameters(),
        "samples": picture(vqvae.sample(SHOWN, generator=generator)),
    }


def _data() -> dict[str, Any]:
    parts = digits(levels=2)
    return {"name": "digits, 2 levels", "images": [len(part) for part in parts]}


EXPERIMENT = Experiment(
    name="memory",
    chapter=3,
    description="WaveNets by their memory, PixelCNN, NADE and VQ-VAEs on binary digits, and finished halves",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "rates": list(RATES),
        "steps": N_STEPS,
        "batch": BATCH,
        "evaluate_every": EVERY,
        "width": WIDTH,
        "optimizer": "Adam",
    },
    data=_data,
    conditions=tuple({"kind": kind, "rate": Tuned(RATES)} for kind in KINDS),
)
