"""The full-size table of chapter 3: its fast form of NADE, its batches, and a cut of its measurements."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_lib.data.digits import Images
from transformer_lib.density.nade import TiedBinaryNADE
from transformer_lib.experiments.chapter_03 import binarized_mnist
from transformer_lib.experiments.chapter_03.binarized_mnist import EpochBatches, measure, sparse_log_probs


def random_nade(n_positions: int, seed: int) -> TiedBinaryNADE:
    generator = torch.Generator().manual_seed(seed)
    model = TiedBinaryNADE(n_positions, 5, generator=generator).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return model


def random_images(n: int, pixels: int, share: float, seed: int) -> torch.Tensor:
    return (torch.rand(n, pixels, generator=torch.Generator().manual_seed(seed)) < share).long()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 90), st.integers(1, 4), st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.integers(0, 99))
def test_the_fast_form_is_the_classic_nade_in_value_and_gradient(
    pixels: int, n: int, share: float, seed: int
) -> None:
    model, x = random_nade(90, seed), random_images(n, pixels, share, seed)
    upstream = torch.randn(n, pixels, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    found = []
    for log_probs in (sparse_log_probs(model, x), model.conditional_log_probs(x)):
        model.zero_grad()
        (log_probs * upstream).sum().backward()
        found.append([log_probs.detach(), *(parameter.grad.clone() for parameter in model.parameters())])
    for fast, literal in zip(*found, strict=True):
        torch.testing.assert_close(fast, literal, rtol=1e-10, atol=1e-10)


def test_an_epoch_deals_every_image_once_and_the_next_in_another_order() -> None:
    images = np.unpackbits(np.arange(12, dtype=np.uint8)[:, None], axis=1)
    batches = EpochBatches(images, 4, seed=3)
    epochs = [torch.cat([batches.batch(3 * epoch + i) for i in range(3)]) for epoch in range(2)]
    for epoch in epochs:
        assert sorted(map(tuple, epoch.tolist())) == sorted(map(tuple, images.tolist()))
    assert not torch.equal(*epochs)
    assert torch.equal(batches.batch(5), EpochBatches(images, 4, seed=3).batch(5))


@pytest.fixture
def few_images(monkeypatch: pytest.MonkeyPatch) -> Images:
    """Stripes: the second half of an image repeats its first, which only the conditionals can know."""
    generator = np.random.default_rng(0)

    def part(n: int) -> np.ndarray:
        half = (generator.random((n, 6)) < 0.4).astype(np.uint8)
        return np.concatenate([half, half], axis=1)

    images = Images(part(400), part(100), part(100), None, None, None, 3, 4, 2)
    monkeypatch.setattr(binarized_mnist, "images", lambda: images)
    monkeypatch.setattr(binarized_mnist, "D_HIDDEN", 16)
    return images


def test_conditionals_earn_what_independent_pixels_cannot(few_images: Images, tmp_path) -> None:
    independent = measure(0, tmp_path, kind="bernoulli", epochs=0, rate=0.0, decay=0.0)
    nade = measure(0, tmp_path, kind="nade", epochs=15, rate=0.1, decay=0.0)
    share = few_images.train.mean(axis=0)
    entropy = -(share * np.log(share) + (1 - share) * np.log(1 - share)).sum()
    assert abs(independent["test"] - entropy) < 0.5
    assert nade["test"] < 0.75 * independent["test"]
    assert [point["epoch"] for point in nade["curve"]] == list(range(1, 16))


def test_a_measurement_goes_on_where_it_was_stopped(few_images: Images, tmp_path) -> None:
    condition = {"kind": "nade", "rate": 0.1, "decay": 0.0}
    whole = measure(0, tmp_path / "whole", epochs=3, **condition)
    train = binarized_mnist.train

    def stopped(model, loss, batches, config, **options):
        class Ends:
            def batch(self, step: int) -> torch.Tensor:
                if step == 9:
                    raise RuntimeError("the power is out")
                return batches.batch(step)

        return train(model, loss, Ends(), config, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binarized_mnist, "train", stopped)
        with pytest.raises(RuntimeError, match="power"):
            measure(0, tmp_path / "cut", epochs=3, **condition)
    assert measure(0, tmp_path / "cut", epochs=3, **condition) == whole
