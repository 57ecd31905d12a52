"""Finite memories and VQ-VAEs on the binarized digits: what the models see, and what a run holds."""

import pytest
import torch

from transformer_lib.density.convolutional import CausalConvLM
from transformer_lib.experiments.chapter_03 import digit_models
from transformer_lib.experiments.chapter_03.compression import digits
from transformer_lib.experiments.chapter_03.digit_models import build, fit_codes, measure


@pytest.mark.parametrize(("kind", "reach"), [("history-8", 8), ("history-16", 16), ("wavenet-4", 16)])
def test_a_prediction_reads_as_many_pixels_as_the_model_s_name_says(kind: str, reach: int) -> None:
    model = build(kind, 0).double()
    x = torch.randint(2, (8, 40), generator=torch.Generator().manual_seed(0))
    moved = []
    for place in range(40):
        changed = x.clone()
        changed[:, place] = 1 - changed[:, place]
        moved.append(bool((model.logits(changed) - model.logits(x))[:, -1].abs().max() > 1e-12))
    assert moved == [False] * (40 - reach) + [True] * reach


def test_the_longest_wavenet_sees_the_whole_image() -> None:
    model = build("wavenet-6", 0)
    assert isinstance(model, CausalConvLM) and model.receptive_field == 64


@pytest.mark.slow
def test_a_measurement_holds_what_the_chapter_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    short_codes, short_fit = (
        fit_codes(2, 0.01, 0, n_steps=25),
        digit_models.fit("history-8", 0.01, 0, n_steps=25),
    )
    monkeypatch.setattr(digit_models, "fit_codes", lambda *arguments: short_codes)
    monkeypatch.setattr(digit_models, "fit", lambda *arguments: short_fit)
    found = measure(0, kind="codes-2", rate=0.01)
    assert (
        found["exact"]
        < found["test"]
        == pytest.approx(found["pixels given codes"] + found["codes"], abs=1e-3)
    )
    assert found["test"] == pytest.approx(-short_codes[0].elbo(digits(2)[2]).mean().item(), abs=1e-3)
    assert "exact" not in measure(0, kind="history-8", rate=0.01)
