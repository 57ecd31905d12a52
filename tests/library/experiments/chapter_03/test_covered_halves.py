"""Covered halves of MNIST: what is kept, what is drawn, what a run holds. The images here are made up."""

import pytest
import torch

from transformer_lib.experiments.chapter_03 import covered_halves
from transformer_lib.experiments.chapter_03.covered_halves import BLOCKS, finish, fit, measure, pack, unpack


@pytest.fixture(autouse=True)
def stripes(monkeypatch: pytest.MonkeyPatch) -> dict:
    """Ten kinds of vertical stripes: the lower half of an image repeats its upper half."""
    kinds = (torch.rand(10, 1, 28, generator=torch.Generator().manual_seed(0)) < 0.5).long()
    labels = torch.arange(300) % 10
    images = kinds.expand(10, 28, 28).flatten(1)[labels]
    parts = {part: (images[:n], labels[:n]) for part, n in (("train", 300), ("valid", 20), ("test", 30))}
    monkeypatch.setattr(covered_halves, "images", lambda: parts)
    monkeypatch.setattr(covered_halves, "EPOCHS", 20)
    covered_halves._reader.cache_clear()
    yield parts
    covered_halves._reader.cache_clear()


def test_images_come_back_from_their_strings(stripes: dict) -> None:
    x = stripes["test"][0]
    assert torch.from_numpy(unpack(pack(x))).equal(x.to(torch.uint8))


@pytest.mark.slow
def test_a_long_memory_finishes_what_it_began(stripes: dict) -> None:
    x, model = stripes["test"][0], fit(7, 0)
    finished = finish(model, x, torch.Generator().manual_seed(0))
    assert finished[:, :392].equal(x[:, :392])
    assert (finished == x).double().mean() > 0.95
    assert not BLOCKS.of(finished).equal(BLOCKS.of(x).roll(1, 0))


@pytest.mark.slow
def test_a_measurement_holds_what_the_chapter_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covered_halves, "EPOCHS", 2)
    found = measure(0, layers=3)
    assert found["memory"] == 8 and found["real right"] > 0.9
    assert len(found["finished"]) == len(found["samples"]) == covered_halves.SHOWN
