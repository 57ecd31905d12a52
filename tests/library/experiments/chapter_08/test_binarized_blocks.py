"""Images as blocks of pixels: the cut and its inverse, told shifts, exact likelihoods, whole runs."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch
from density_cases import randomize
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_lib.data.digits import Images
from transformer_lib.experiments import EXPERIMENTS
from transformer_lib.experiments.chapter_03 import binarized_mnist
from transformer_lib.experiments.chapter_08 import binarized_blocks
from transformer_lib.experiments.chapter_08.binarized_blocks import (
    GPU_RECIPE,
    RECIPE,
    SHIFTS,
    Blocks,
    PixelRecipe,
    ShiftedBatches,
    build,
    image_nats,
    measure,
)

SIZES = st.integers(1, 3)
SMALL = replace(
    RECIPE,
    block=(2, 2),
    transformer={"d_model": 16, "n_heads": 2, "n_layers": 1, "dropout": 0.1},
    wavenet={"d_model": 8, "stack_depth": 2},
    epochs=3,
    batch=20,
)
every_kind = pytest.mark.parametrize("kind", ["transformer", "wavenet"])


def small(recipe: PixelRecipe) -> PixelRecipe:
    """The recipe's own way to train, with the shapes of ``SMALL``, on a processor."""
    shapes = {name: getattr(SMALL, name) for name in ("block", "transformer", "wavenet", "epochs", "batch")}
    return replace(recipe, **shapes, training=replace(recipe.training, device="cpu"))


def all_images(n_pixels: int) -> np.ndarray:
    return np.array(list(itertools.product((0, 1), repeat=n_pixels)), dtype=np.uint8)


@settings(max_examples=30, deadline=None)
@given(SIZES, SIZES, SIZES, SIZES, st.integers(0, 99))
def test_blocks_and_pixels_are_the_same_image(
    down: int, across: int, rows: int, columns: int, seed: int
) -> None:
    blocks = Blocks(down * rows, across * columns, rows, columns)
    generator = torch.Generator().manual_seed(seed)
    pixels = torch.randint(2, (5, blocks.height * blocks.width), generator=generator)
    tokens = blocks.of(pixels)
    assert tokens.shape == (5, blocks.n_places) and tokens.min() >= 0 and tokens.max() < blocks.n_symbols
    assert torch.equal(blocks.pixels(tokens), pixels)
    tokens = torch.randint(blocks.n_symbols, (5, blocks.n_places), generator=generator)
    assert torch.equal(blocks.of(blocks.pixels(tokens)), tokens)


def test_a_block_is_the_number_whose_bits_are_its_pixels() -> None:
    image = torch.tensor([[1, 0, 0, 1], [0, 0, 1, 1]]).flatten()[None]
    assert Blocks(2, 4, 2, 2).of(image).tolist() == [[1, 2 + 4 + 8]]
    assert Blocks(2, 4, 1, 4).of(image).tolist() == [[1 + 8, 4 + 8]]


def test_blocks_that_leave_pixels_over_are_refused() -> None:
    with pytest.raises(ValueError, match="blocks of 3 by 2 pixels do not fill an image of 4 by 4"):
        Blocks(4, 4, 3, 2)


@every_kind
def test_the_likelihood_is_a_distribution_over_all_images_and_the_chain_rule_of_their_pixels(
    kind: str,
) -> None:
    blocks, images = Blocks(2, 4, 2, 2), all_images(8)
    model = randomize(build(kind, SMALL, blocks, 0), 1).double().eval()
    p = np.exp(-image_nats(model, images, blocks))
    assert p.sum() == pytest.approx(1, abs=1e-9) and p.std() > 0
    # the pixels in the order of the blocks; each conditional from the sums over what comes after
    order = [0, 1, 4, 5, 2, 3, 6, 7]
    x = images[137]
    chain = 0.0
    for t in range(8):
        before = (images[:, order[:t]] == x[order[:t]]).all(axis=1)
        here = before & (images[:, order[t]] == x[order[t]])
        chain -= np.log(p[here].sum() / p[before].sum())
    assert image_nats(model, images[137:138], blocks)[0] == pytest.approx(chain, abs=1e-9)


def test_a_batch_tells_the_shift_of_each_image_and_nothing_else_changes() -> None:
    images = all_images(12)[np.random.default_rng(0).permutation(4096)[:60]]
    blocks = Blocks(4, 3, 2, 3)
    plain, shifted = (ShiftedBatches(images, blocks, 20, share, seed=3) for share in (0.0, 0.7))
    seen = set()
    for step in range(6):
        inputs, targets = shifted.batch(step)
        assert torch.equal(inputs[:, 1:], targets[:, :-1])
        told = inputs[:, 0] - blocks.n_symbols
        seen |= set(told.tolist())
        undone = [
            blocks.pixels(tokens[None]).view(4, 3).roll([-n for n in SHIFTS[number]], (0, 1)).flatten()
            for tokens, number in zip(targets, told.tolist())
        ]
        straight, unmoved = plain.batch(step)
        assert torch.equal(blocks.of(torch.stack(undone)), unmoved)
        assert (straight[:, 0] == blocks.n_symbols).all()
        assert torch.equal(shifted.batch(step)[0], inputs)
    assert seen == set(range(len(SHIFTS)))


def test_an_image_is_scored_after_the_token_for_no_shift_among_the_blocks_alone() -> None:
    blocks, image = Blocks(2, 4, 2, 2), all_images(8)[[137]]
    model = randomize(build("transformer", SMALL, blocks, 0), 1).eval()
    tokens = blocks.of(torch.from_numpy(image).long())

    def nats(shift: int) -> float:
        inputs = torch.cat([torch.tensor([[blocks.n_symbols + shift]]), tokens[:, :-1]], dim=1)
        p = model(inputs).softmax(dim=-1)[..., : blocks.n_symbols]
        p = p / p.sum(dim=-1, keepdim=True)
        return -p.gather(2, tokens[..., None]).log().sum().item()

    assert image_nats(model, image, blocks)[0] == pytest.approx(nats(0), rel=1e-5)
    assert nats(1) != pytest.approx(nats(0), rel=1e-3)


@pytest.fixture
def stripes(monkeypatch: pytest.MonkeyPatch) -> Images:
    """The lower half of an image repeats its upper half."""
    generator = np.random.default_rng(0)

    def part(n: int) -> np.ndarray:
        half = (generator.random((n, 8)) < 0.4).astype(np.uint8)
        return np.concatenate([half, half], axis=1)

    images = Images(part(100), part(40), part(40), None, None, None, 4, 4, 2)
    monkeypatch.setattr(binarized_mnist, "images", lambda: images)
    return images


@every_kind
def test_a_measurement_goes_on_where_it_was_stopped(stripes, tmp_path, monkeypatch, kind: str) -> None:
    whole = measure(0, tmp_path / "whole", kind=kind, recipe=SMALL)
    assert [point["epoch"] for point in whole.curve] == [1, 2, 3]
    assert whole.result["valid"] == min(point["valid"] for point in whole.curve)
    train = binarized_blocks.train

    def stopped(model, loss, batches, config, **options):
        class Ends:
            def batch(self, step: int) -> tuple[torch.Tensor, ...]:
                if step == 12:
                    raise RuntimeError("the power is out")
                return batches.batch(step)

        return train(model, loss, Ends(), config, **options)

    with monkeypatch.context() as patch:
        patch.setattr(binarized_blocks, "train", stopped)
        with pytest.raises(RuntimeError, match="power"):
            measure(0, tmp_path / "cut", kind=kind, recipe=SMALL)
    again = measure(0, tmp_path / "cut", kind=kind, recipe=SMALL)
    assert (again.result, again.curve) == (whole.result, whole.curve)


@every_kind
def test_the_form_for_a_gpu_runs_on_a_small_cut(stripes, tmp_path, kind: str) -> None:
    recipe = small(GPU_RECIPE)
    assert recipe.training.precision == "bf16"
    record = measure(1, tmp_path, kind=kind, recipe=recipe)
    assert record.result["test"] < 16 * np.log(2) + 3 and len(record.curve) == recipe.epochs


def test_both_models_have_about_as_many_parameters_at_both_sizes() -> None:
    blocks = Blocks(28, 28, *RECIPE.block)
    counts = [
        [build(kind, recipe, blocks, 0).n_parameters() for kind in ("transformer", "wavenet")]
        for recipe in (RECIPE, GPU_RECIPE)
    ]
    assert all(0.8 < a / b < 1.25 for a, b in counts), counts


@every_kind
def test_a_record_names_the_model_that_it_is_of(kind: str) -> None:
    experiment = EXPERIMENTS[f"binarized-mnist-{kind}"]
    for one, recipe in ((experiment, RECIPE), (experiment.gpu, GPU_RECIPE)):
        assert one.config["kind"] == kind and one.config["model"] == getattr(recipe, kind)
        assert "steps" not in one.config["training"]
    assert experiment.gpu.config["training"]["device"] == "cuda"
