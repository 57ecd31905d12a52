"""Digits of MNIST whose lower half is covered, finished by WaveNets of a short and a long memory: chapter 3.

An image is cut into blocks of 2 by 4 pixels, each a token. A network that sees only lower halves says how
many of the finished ones are the digit that they should be.
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from transformer_lib.data import load_images
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.experiments.chapter_08.binarized_blocks import Blocks
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.interfaces import sample_categorical
from transformer_lib.padding import shift_right

__all__ = ["BLOCKS", "EXPERIMENT", "finish", "fit", "images", "measure", "read_shares", "unpack"]

BLOCKS = Blocks(28, 28, 2, 4)
N_GIVEN, WIDTH, EPOCHS, BATCH, RATE, TESTED, SHOWN = BLOCKS.n_places // 2, 64, 2, 50, 0.004, 1000, 8

Pixels = Int[Tensor, "images pixels"]


@cache
def images() -> dict[str, tuple[Pixels, Int[Tensor, "images"]]]:
    """Black and white images and their labels, for training, validation and test."""
    data, found = load_images("mnist"), {}
    for part, n in (("train", None), ("valid", TESTED), ("test", TESTED)):
        pixels, labels = getattr(data, part)[:n], getattr(data, f"{part}_labels")[:n]
        found[part] = torch.from_numpy(pixels > 127).long(), torch.from_numpy(labels).long()
    return found


def fit(layers: int, seed: int) -> CausalConvLM:
    """A WaveNet of blocks whose dilations double from layer to layer; the learning rate rises and falls."""
    blocks = BLOCKS.of(images()["train"][0])
    generator = torch.Generator().manual_seed(seed)
    model = CausalConvLM(ConvConfig(BLOCKS.n_symbols, WIDTH, stack_depth=layers), generator=generator)
    n_steps = EPOCHS * len(blocks) // BATCH
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, n_steps, pct_start=0.1)
    for _ in range(n_steps):
        batch = blocks[torch.randint(len(blocks), (BATCH,), generator=generator)]
        optimizer.zero_grad()
        (-model.conditional_log_probs(batch).mean()).backward()
        optimizer.step()
        schedule.step()
    return model


@torch.no_grad()
def finish(model: CausalConvLM, pixels: Pixels, generator: Generator) -> Pixels:
    """The same images, the blocks of the lower half drawn one after another."""
    blocks = BLOCKS.of(pixels)
    given = shift_right(blocks, model.start_token)[:, : N_GIVEN + 1]
    logits, state = model.read(given, model.init_state(len(blocks)))
    for place in range(N_GIVEN, blocks.shape[1]):
        blocks[:, place] = sample_categorical(logits, generator)
        logits, state = model.step(blocks[:, place], state)
    return BLOCKS.pixels(blocks)


@cache
def _reader() -> nn.Sequential:
    """A classifier of lower halves, trained on the real ones."""
    pixels, labels = images()["train"]
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(392, 128), nn.ReLU(), nn.Linear(128, 10))
    optimizer, generator = torch.optim.Adam(model.parameters(), lr=0.001), torch.Generator().manual_seed(0)
    for _ in range(3000):
        batch = torch.randint(len(pixels), (100,), generator=generator)
        optimizer.zero_grad()
        F.cross_entropy(model(pixels[batch, 392:].float()), labels[batch]).backward()
        optimizer.step()
    return model.requires_grad_(False)


def read_shares(pixels: Pixels) -> Float[Tensor, ""]:
    """The share of these forms of the test images whose lower half is read as the digit that it should be."""
    labels = images()["test"][1]
    return (_reader()(pixels[:, 392:].float()).argmax(dim=1) == labels).double().mean()


def pack(pixels: Pixels) -> list[str]:
    """Each image as a string."""
    return [bytes(row).hex() for row in np.packbits(pixels.numpy().astype(np.uint8), axis=1)]


def unpack(packed: list[str]) -> np.ndarray:
    """The images of ``pack``, a row each."""
    return np.unpackbits(np.array([list(bytes.fromhex(row)) for row in packed], dtype=np.uint8), axis=1)


def measure(seed: int, folder: Path | None = None, *, layers: int) -> dict[str, Any]:
    """Nats of the test images, the share of lower halves that are right, and some of them."""
    model, test = fit(layers, seed), images()["test"][0]
    finished = finish(model, test, torch.Generator().manual_seed(seed))
    with torch.no_grad():
        nats = {
            part: round(-model.log_prob(BLOCKS.of(images()[part][0])).mean().item(), 4)
            for part in ("valid", "test")
        }
    return nats | {
        "parameters": model.n_parameters(),
        "memory": model.receptive_field,
        "finished right": round(read_shares(finished).item(), 4),
        "real right": round(read_shares(test).item(), 4),
        "finished": pack(finished[:SHOWN]),
        "real": pack(test[:SHOWN]),
        "samples": pack(_samples(model, seed)),
    }


def _samples(model: CausalConvLM, seed: int) -> Pixels:
    generator = torch.Generator().manual_seed(seed)
    return BLOCKS.pixels(model.sample(SHOWN, BLOCKS.n_places, generator=generator))


def _data() -> dict[str, Any]:
    return {"name": "mnist, 2 levels", "images": [len(pixels) for pixels, _ in images().values()]}


EXPERIMENT = Experiment(
    name="covered-halves",
    chapter=3,
    description="covered lower halves of MNIST, finished by a WaveNet of short memory and one of long",
    measure=measure,
    seeds=(0,),
    config={
        "block": [2, 4],
        "width": WIDTH,
        "epochs": EPOCHS,
        "batch": BATCH,
        "rate": RATE,
        "optimizer": "AdamW",
        "schedule": "one cycle",
    },
    data=_data,
    conditions=({"layers": 3}, {"layers": 7}),
)
