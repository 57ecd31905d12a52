r"""Fixed binarized MNIST by a Transformer that reads blocks of pixels, and by a WaveNet of the same size.

An image is cut into blocks, and the pixels of a block are the bits of one token, so that

.. math:: \log p(x) = \sum_b \log p(\text{block}_b \mid \text{blocks before it})

is the exact log-likelihood of the pixels, by the chain rule block after block, at a fraction of the cost of
reading them one by one.

In training, some images are shifted by a pixel, and the token that stands before the first block tells the
model which way (Jun et al., 2020). A shift makes other tokens of the same digit, and the model need not guess
it: its likelihood is that of the images as they are, after the token for no shift.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int, UInt8
from torch import Tensor

from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.experiments.chapter_03 import binarized_mnist
from transformer_lib.experiments.chapter_03.binarized_mnist import WATCHED, EpochBatches
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.interfaces import SequenceModel, device_of, evaluation_mode
from transformer_lib.losses import smoothed_cross_entropy
from transformer_lib.metrics import mean_and_interval
from transformer_lib.padding import shift_right
from transformer_lib.training import Record, TrainingConfig, holds_run, train
from transformer_lib.training.progress import shows_progress
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.vision import ImageTransformer

__all__ = [
    "GPU_RECIPE",
    "RECIPE",
    "SHIFTS",
    "TRANSFORMER",
    "WAVENET",
    "WAVENET_RECIPE",
    "Blocks",
    "PixelRecipe",
    "ShiftedBatches",
    "block_logits",
    "build",
    "image_nats",
    "measure",
]

SHIFTS = ((0, 0), *((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right))
"""How many pixels down and to the right; the first is none. What leaves at one side enters at the other."""
NAMES = {"transformer": "Transformer", "wavenet": "WaveNet"}
CHAPTERS = {"transformer": 8, "wavenet": 3}
AT_ONCE, SAVES = 100, 4
"""Images that are scored together; checkpoints of an epoch."""


@dataclass(frozen=True)
class Blocks:
    """A cut of images of ``height`` by ``width`` pixels into blocks of ``rows`` by ``columns``.

    Blocks stand in raster order, and so do the pixels of a block, the first of which is its lowest bit.

    Raises
    ------
    ValueError
        If the blocks do not fill the image.
    """

    height: int
    width: int
    rows: int
    columns: int

    def __post_init__(self) -> None:
        if self.height % self.rows or self.width % self.columns:
            raise ValueError(
                f"blocks of {self.rows} by {self.columns} pixels do not fill an image of {self.height} by "
                f"{self.width}"
            )

    @property
    def n_symbols(self) -> int:
        """The different blocks, which are the tokens from 0 on."""
        return 2 ** (self.rows * self.columns)

    @property
    def across(self) -> int:
        """Blocks side by side."""
        return self.width // self.columns

    @property
    def n_places(self) -> int:
        """Blocks of an image."""
        return self.height // self.rows * self.across

    @property
    def vocab_size(self) -> int:
        """Tokens that a model reads: the blocks, and one to begin with for each of the :data:`SHIFTS`."""
        return self.n_symbols + len(SHIFTS)

    def of(self, pixels: Int[Tensor, "images pixels"]) -> Int[Tensor, "images places"]:
        """The blocks of images with pixels of 0 and 1."""
        cut = pixels.reshape(-1, self.height // self.rows, self.rows, self.across, self.columns)
        return (cut.transpose(2, 3).flatten(3) * self._bits(pixels)).sum(-1).flatten(1)

    def pixels(self, blocks: Int[Tensor, "images places"]) -> Int[Tensor, "images pixels"]:
        """The images with these blocks."""
        bits = (blocks[..., None] & self._bits(blocks)).ne(0).long()
        cut = bits.reshape(len(blocks), self.height // self.rows, self.across, self.rows, self.columns)
        return cut.transpose(2, 3).reshape(len(blocks), self.height * self.width)

    def _bits(self, like: Tensor) -> Int[Tensor, "pixels"]:
        return 2 ** torch.arange(self.rows * self.columns, device=like.device)


@dataclass(frozen=True)
class ShiftedBatches:
    """Batches (inputs, targets) of blocks by number; each epoch deals every image once.

    An image is shifted with probability ``share``, each way as often as the others.
    """

    images: UInt8[np.ndarray, "images pixels"]
    blocks: Blocks
    size: int
    share: float
    seed: int

    def batch(self, step: int) -> tuple[Int[Tensor, "batch places"], Int[Tensor, "batch places"]]:
        """Batch number ``step``, from 0 on; an input is the shift's token and all blocks but the last."""
        pixels = EpochBatches(self.images, self.size, self.seed).batch(step)
        image = pixels.view(-1, self.blocks.height, self.blocks.width)
        random = np.random.default_rng([self.seed, step, 1])
        is_shifted = random.random(self.size) < self.share
        which = torch.from_numpy(is_shifted * random.integers(1, len(SHIFTS), self.size))
        for number, shift in enumerate(SHIFTS):
            image[which == number] = image[which == number].roll(shift, (1, 2))
        targets = self.blocks.of(pixels)
        starts = self.blocks.n_symbols + which
        return torch.cat([starts[:, None], targets[:, :-1]], dim=1), targets


@dataclass(frozen=True)
class PixelRecipe:
    """A way to train either model.

    Attributes
    ----------
    block : tuple of int
        Rows and columns of a block.
    transformer, wavenet : dict
        The shapes: of :class:`~transformer_lib.transformer.config.TransformerConfig` and
        :class:`~transformer_lib.density.convolutional.ConvConfig`.
    epochs, batch : int
        Passes over the images, in the first of which the learning rate grows; images of an update.
    shifted : float
        The share of images that are shifted.
    training : TrainingConfig
        The rest; what it counts in steps is set by the epochs.
    """

    block: tuple[int, int]
    transformer: Mapping[str, Any]
    wavenet: Mapping[str, Any]
    epochs: int
    batch: int
    shifted: float
    training: TrainingConfig

    def to_dict(self, kind: str) -> dict[str, Any]:
        """What concerns this kind of model, as plain values, without what is set for each run."""
        training = self.training.for_record(
            "steps", "warmup_steps", "evaluate_every", "checkpoint_every", "seed"
        )
        shape = {"kind": kind, "model": dict(getattr(self, kind)), "block": list(self.block)}
        counts = {name: getattr(self, name) for name in ("epochs", "batch", "shifted")}
        return shape | counts | {"training": training}


RECIPE = PixelRecipe(
    block=(4, 2),
    transformer={"d_model": 128, "n_heads": 4, "n_layers": 6},
    wavenet={"d_model": 128, "n_stacks": 2, "stack_depth": 7},
    epochs=10,
    batch=50,
    shifted=0.5,
    training=TrainingConfig(optimizer="muon", learning_rate=2e-3, weight_decay=0.1, beta2=0.98, device="cpu"),
)
"""For one core of a processor and an hour and a half: without dropout, which takes a third more."""
WAVENET_RECIPE = replace(RECIPE, training=replace(RECIPE.training, optimizer="adamw"))
"""For as many epochs, which take about as long. A WaveNet is updated by AdamW: kernels are no matrices."""
GPU_RECIPE = replace(
    RECIPE,
    transformer={"d_model": 384, "n_heads": 6, "n_layers": 8, "dropout": 0.3},
    wavenet={"d_model": 448, "n_stacks": 2, "stack_depth": 7},
    epochs=100,
    batch=200,
    shifted=0.75,
    training=replace(RECIPE.training, optimizer="adamw", learning_rate=1e-3, device="cuda", precision="bf16"),
)


def build(kind: str, recipe: PixelRecipe, blocks: Blocks, seed: int) -> SequenceModel:
    """A fresh ``"transformer"`` or ``"wavenet"`` that reads the tokens of ``blocks``."""
    generator = torch.Generator().manual_seed(seed)
    tokens = {"vocab_size": blocks.vocab_size, "start_token": blocks.n_symbols}
    if kind == "wavenet":
        return CausalConvLM(ConvConfig.from_dict({**tokens, **recipe.wavenet}), generator=generator)
    shape = {**tokens, "context_length": blocks.n_places, "positions": "none", **recipe.transformer}
    return ImageTransformer(TransformerConfig.from_dict(shape), blocks.across, generator=generator)


def block_logits(
    model: SequenceModel, inputs: Int[Tensor, "batch places"], blocks: Blocks
) -> Float[Tensor, "batch places symbols"]:
    """The logits of the blocks; start tokens, which are read and never predicted, have none."""
    return model(inputs)[..., : blocks.n_symbols]


@torch.no_grad()
def image_nats(
    model: SequenceModel, x: UInt8[np.ndarray, "images pixels"], blocks: Blocks
) -> Float[np.ndarray, "images"]:
    r""":math:`-\log p(x)` of each image, in nats, with the start token for no shift.

    Source: S1
    """
    found = []
    with evaluation_mode(model):
        for part in np.array_split(x, max(1, len(x) // AT_ONCE)):
            targets = blocks.of(torch.from_numpy(part).long()).to(device_of(model))
            log_probs = block_logits(model, shift_right(targets, model.start_token), blocks).log_softmax(-1)
            found.append(-log_probs.gather(2, targets[..., None]).double().sum((1, 2)).cpu())
    return torch.cat(found).numpy()


def measure(seed: int, folder: Path, *, kind: str, recipe: PixelRecipe = RECIPE) -> Record:
    """Nats per test image of one model, at the epoch of least validation nats; resumes from ``folder``."""
    data = binarized_mnist.images()
    blocks = Blocks(data.height, data.width, *recipe.block)
    model = build(kind, recipe, blocks, seed)
    per_epoch = len(data.train) // recipe.batch
    config = replace(
        recipe.training,
        steps=recipe.epochs * per_epoch,
        warmup_steps=per_epoch,
        evaluate_every=per_epoch,
        checkpoint_every=max(1, per_epoch // SAVES),
        seed=seed,
    )
    watched = data.valid[:WATCHED]
    trained = train(
        model,
        lambda model, batch: smoothed_cross_entropy(block_logits(model, batch[0], blocks), batch[1]),
        ShiftedBatches(data.train, blocks, recipe.batch, recipe.shifted, seed),
        config,
        evaluate=lambda model: image_nats(model, watched, blocks).mean(),
        run_dir=folder,
        resume=holds_run(folder),
        progress=shows_progress(),
    )
    assert trained.best is not None
    curve = [
        {
            "epoch": point.step // per_epoch,
            "train": round(point.training_loss * blocks.n_places, 4),
            "valid": round(point.validation_loss or np.nan, 4),
        }
        for point in trained.evaluations
    ]
    best = trained.best.step // per_epoch
    nats = {part: image_nats(model, getattr(data, part), blocks).tolist() for part in ("valid", "test")}
    interval = mean_and_interval(nats["test"])
    result = {
        "parameters": model.n_parameters(),
        "epoch": best,
        "train": curve[best - 1]["train"],
        "valid": round(mean_and_interval(nats["valid"]).mean, 4),
        "test": round(interval.mean, 4),
        "test_half_width": round(interval.high - interval.mean, 4),
    }
    return Record.of_run(
        config=recipe.to_dict(kind),
        data=binarized_mnist.data(),
        seeds=[seed],
        minutes=trained.seconds / 60,
        curve=curve,
        result=result,
        device=trained.device,
    )


def _experiment(
    kind: str, recipe: PixelRecipe, where: str, seeds: tuple[int, ...], **others: Any
) -> Experiment:
    return Experiment(
        chapter=CHAPTERS[kind],
        description=f"fixed binarized MNIST by a {NAMES[kind]} on blocks of pixels, {where}: nats per image",
        measure=partial(measure, kind=kind, recipe=recipe),
        seeds=seeds,
        config=recipe.to_dict(kind),
        data=binarized_mnist.data,
        **others,
    )


def _both_sizes(kind: str) -> Experiment:
    name = f"binarized-mnist-{kind}"
    larger = _experiment(kind, GPU_RECIPE, "on a GPU", (0, 1, 2), name=f"{name}-gpu")
    recipe = WAVENET_RECIPE if kind == "wavenet" else RECIPE
    return _experiment(kind, recipe, "on one core of a processor", (0,), name=name, gpu=larger)


TRANSFORMER, WAVENET = _both_sizes("transformer"), _both_sizes("wavenet")
