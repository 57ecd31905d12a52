"""The Transformer that reads digits pixel by pixel, and the one without a mask."""

import itertools

import pytest
import torch

from transformer_lib.data import load_digits
from transformer_lib.experiments.chapter_02.marginals import fit as fit_nade
from transformer_lib.experiments.chapter_08 import masked_digits
from transformer_lib.experiments.chapter_08.masked_digits import MASKS, build, fit, nats_without_answers, peek


def few_images() -> torch.Tensor:
    return torch.from_numpy(load_digits().test[:3]).long()


def test_the_transformer_has_about_as_many_parameters_as_the_lecture_s_nade() -> None:
    transformer, nade = (build(kind, 0).n_parameters() for kind in ("transformer", "nade"))
    assert 0.95 < transformer / nade < 1.05


def test_only_the_mask_tells_the_two_transformers_apart() -> None:
    masked, unmasked = build("transformer", 3), build("unmasked", 3)
    assert all(torch.equal(a, b) for a, b in zip(masked.parameters(), unmasked.parameters()))
    assert masked.mask is MASKS["causal"] and unmasked.mask is MASKS["none"]


def test_with_the_mask_nothing_is_lost_without_the_answers() -> None:
    model, x = build("transformer", 0), few_images()
    torch.testing.assert_close(nats_without_answers(model, x), -model.log_prob(x).detach())


def test_without_the_mask_only_what_is_measured_without_answers_is_a_distribution() -> None:
    model, x = build("unmasked", 0), torch.tensor(list(itertools.product((0, 1), repeat=4)))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
        total = model.log_prob(x).exp().sum()
    assert abs(total - 1) > 0.01
    torch.testing.assert_close((-nats_without_answers(model, x)).exp().sum(), torch.tensor(1.0))


def test_a_nade_is_trained_as_in_chapter_2() -> None:
    here, there = fit("classic", 0.03, 1, n_steps=25), fit_nade("classic", 0.03, 1, n_steps=25)
    assert here.nats.equal(there.nats)


@pytest.mark.slow
def test_a_measurement_holds_what_the_chapter_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    short = fit("transformer", 0.003, 0, n_steps=50)
    monkeypatch.setattr(masked_digits, "fit", lambda *arguments: short)
    monkeypatch.setattr(masked_digits, "LENGTHS", (25, 50))
    found = masked_digits.measure(0, kind="transformer", rate=0.003)
    assert found["25"]["step"] == 25 and found["50"]["test"] == min(found["test_curve"])
    assert [len(image) for image in found["samples"]] == [64] * 12


@pytest.mark.slow
def test_training_without_a_mask_falls_apart_when_the_answers_are_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(masked_digits, "PEEKING_STEPS", (100,))
    monkeypatch.setattr(masked_digits, "PEEKING_TEST", 20)
    found = peek(0, mask="none", rate=0.01, steps=100)
    assert found["100"]["seen"] < 22 and found["100"]["unseen"] > 30
    found = peek(0, mask="causal", rate=0.01, steps=100)
    assert found["100"]["seen"] == pytest.approx(found["100"]["unseen"], abs=1e-3)
