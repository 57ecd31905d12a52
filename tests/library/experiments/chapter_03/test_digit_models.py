"""Memories on the binarized digits: what the models see, how halves are finished, what a run holds."""

import pytest
import torch

from transformer_lib.density.convolutional import CausalConvLM
from transformer_lib.experiments.chapter_03 import digit_models
from transformer_lib.experiments.chapter_03.compression import digits
from transformer_lib.experiments.chapter_03.digit_models import (
    N_GIVEN,
    PixelCNN,
    build,
    finish,
    fit_codes,
    measure,
    share_read_right,
)


def who_is_moved_by(kind: str, place: int) -> list[int]:
    """The pixels whose scores change with the pixel at this place."""
    model = build(kind, 0).double()
    x = torch.randint(2, (8, 64), generator=torch.Generator().manual_seed(0))
    changed = x.clone()
    changed[:, place] = 1 - changed[:, place]
    ones = torch.ones_like(x)
    found = [
        model.conditional_log_probs(torch.cat([image[:, :t], ones[:, t:]], dim=1))[:, t]
        for t in range(64)
        for image in (x, changed)
    ]
    pairs = zip(found[::2], found[1::2])
    return [t for t, (one, other) in enumerate(pairs) if (one - other).abs().max() > 1e-12]


@pytest.mark.parametrize(("kind", "memory"), [("wavenet-3", 8), ("placed-3", 8), ("wavenet-4", 16)])
def test_a_prediction_reads_as_many_pixels_as_its_layers_reach(kind: str, memory: int) -> None:
    assert who_is_moved_by(kind, 20) == list(range(21, 21 + memory))


def test_the_longest_wavenet_sees_the_whole_image() -> None:
    model = build("wavenet-6", 0)
    assert isinstance(model, CausalConvLM) and model.receptive_field == 64


def test_a_pixelcnn_sees_a_cone_with_a_blind_spot() -> None:
    row, column = divmod(20, 8)
    moved = who_is_moved_by("pixelcnn-6", 20)
    expected = []
    for t in range(21, 64):
        down, right = t // 8 - row, t % 8 - column
        if down <= 6 and right >= -down and (down > 0 or right <= 6):
            expected.append(t)
    assert moved == expected


def test_a_placed_network_samples_as_its_logits_say() -> None:
    model = build("placed-3", 0).double()
    assert isinstance(model, CausalConvLM)
    x = torch.randint(2, (3, 20), generator=torch.Generator().manual_seed(0))
    state = model.init_state(3)
    for t in range(20):
        scores, state = model.step(x[:, t], state)
        torch.testing.assert_close(scores, model.logits(x)[:, t])


def test_a_finished_image_keeps_what_was_given_and_follows_the_model() -> None:
    class Copies(PixelCNN):
        def conditional_log_probs(self, x: torch.Tensor) -> torch.Tensor:
            before = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
            return torch.where(x == before, 0.0, -torch.inf)

    x = torch.tensor([[0, 1, 0, 0], [0, 0, 1, 1]])
    assert finish(Copies(2, 1), x, 2).tolist() == [[0, 1, 1, 1], [0, 0, 0, 0]]


def test_most_real_lower_halves_are_read_right_and_few_of_other_digits() -> None:
    test = digits(levels=2)[2]
    assert share_read_right(test) > 0.7
    others = torch.cat([test[:, :N_GIVEN], test.roll(1, 0)[:, N_GIVEN:]], dim=1)
    assert share_read_right(others) < 0.3


@pytest.mark.slow
def test_a_measurement_holds_what_the_chapter_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    short_codes = fit_codes(2, 0.01, 0, n_steps=25)
    short_fit = digit_models.fit("wavenet-3", 0.01, 0, n_steps=25)
    monkeypatch.setattr(digit_models, "fit_codes", lambda *arguments: short_codes)
    monkeypatch.setattr(digit_models, "fit", lambda *arguments: short_fit)
    found = measure(0, kind="codes-2", rate=0.01)
    assert found["exact"] < found["test"]
    assert found["test"] == pytest.approx(found["pixels given codes"] + found["codes"], abs=1e-3)
    assert found["test"] == pytest.approx(-short_codes[0].elbo(digits(2)[2]).mean().item(), abs=1e-3)
    found = measure(0, kind="wavenet-3", rate=0.01)
    assert "exact" not in found and 0 < found["finished right"] < 0.5
    assert found["finished"][0][:N_GIVEN] == "".join(map(str, digits(2)[2][0, :N_GIVEN].tolist()))
