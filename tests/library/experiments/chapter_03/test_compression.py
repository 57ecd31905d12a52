"""Pixels against codes at equal compute: what is counted, how far samples are apart, what a run holds."""

import pytest
import torch

from transformer_lib.density.convolutional import CausalConvLM
from transformer_lib.density.vqvae import VQVAE, vqvae_loss
from transformer_lib.experiments.chapter_03 import compression
from transformer_lib.experiments.chapter_03.compression import (
    build,
    costs,
    descend,
    digits,
    fit,
    frechet_distance,
    independent_pixels,
    measure,
    multiply_adds,
    nats,
    picture,
)


def test_a_matrix_product_takes_one_multiply_add_for_each_weight_and_row() -> None:
    x, weight = torch.randn(5, 7), torch.randn(7, 3, requires_grad=True)
    assert multiply_adds(lambda: x @ weight) == 5 * 7 * 3
    assert multiply_adds(lambda: (x @ weight).sum().backward()) == 2 * 5 * 7 * 3


@pytest.mark.slow
def test_a_run_spends_its_budget_and_no_more() -> None:
    train = digits()[0][:100]
    pixels, steps, best = fit("pixels", 1, 0.01, 0)
    assert isinstance(pixels, CausalConvLM)
    cost = multiply_adds(lambda: (-pixels.log_prob(train).mean()).backward())
    assert 1e9 - cost < steps[0] * cost <= 1e9 and best[0] <= steps[0]
    vqvae, steps, best = fit("codes", 3, 0.01, 0)
    assert isinstance(vqvae, VQVAE)
    codes = vqvae.encode(train)
    first = multiply_adds(lambda: vqvae_loss(vqvae, train).backward())
    second = multiply_adds(lambda: (-vqvae.prior.log_prob(codes).mean()).backward())
    assert 3e9 - first - second < steps[0] * first + steps[1] * second <= 3e9
    assert all(1 <= one <= most for one, most in zip(best, steps, strict=True))


def test_descent_leaves_the_parameters_of_the_least_score() -> None:
    model, scores = torch.nn.Linear(1, 1, bias=False), iter([3.0, 1.0, 2.0])
    seen = []

    def score() -> torch.Tensor:
        seen.append(model.weight.item())
        return torch.tensor(next(scores))

    best = descend(
        model,
        lambda batch: model.weight.sum(),
        score,
        rate=0.1,
        n_steps=6,
        every=2,
        generator=torch.Generator().manual_seed(0),
        n_train=10,
    )
    assert best == 4 and model.weight.item() == seen[1] and len(set(seen)) == 3


def test_descent_stops_when_the_score_has_not_fallen_for_long() -> None:
    model, scores = torch.nn.Linear(1, 1, bias=False), iter([3.0, 1.0, 2.0, 4.0])
    best = descend(
        model,
        lambda batch: model.weight.sum(),
        lambda: torch.tensor(next(scores)),
        rate=0.1,
        n_steps=100,
        every=2,
        generator=torch.Generator().manual_seed(0),
        n_train=10,
        patience=4,
    )
    assert best == 4 and next(scores, None) is None


def test_codes_cost_less_than_the_pixels_they_stand_for() -> None:
    (direct, by_codes), (again, sample) = costs(8)
    assert direct == again == multiply_adds(lambda: build("pixels", 0).logits(digits()[2][:1]))
    assert direct / 4 < sample < by_codes < direct


def test_the_bound_of_a_vqvae_is_the_sum_of_its_two_parts() -> None:
    x, model = digits()[2][:20], build("codes", 0)
    found = nats(model, x)
    assert found["nats"] == pytest.approx(-model.elbo(x).mean().item())
    log_probs = model.decode(model.encode(x)).log_softmax(dim=-1)
    given = -log_probs.gather(2, x[..., None]).sum(dim=(1, 2)).mean().item()
    assert found["pixels given codes"] == pytest.approx(given, rel=1e-5)


def test_the_distance_is_that_of_two_normal_distributions(monkeypatch: pytest.MonkeyPatch) -> None:
    features = torch.nn.Sequential(torch.nn.Identity(), torch.nn.Identity())
    monkeypatch.setattr(compression, "judge", lambda: features)
    generator = torch.Generator().manual_seed(0)
    x = torch.randint(16, (400, 3), generator=generator)
    assert frechet_distance(x, x) == pytest.approx(0, abs=1e-6)
    # a shift by 15 levels is a shift by 1 in each of three features
    assert frechet_distance(x, x + 15) == pytest.approx(3, rel=1e-4)
    # twice as wide: the means move by m, and each deviation s adds s ** 2
    shades = x.double() / 15
    expected = shades.mean(dim=0).square().sum() + torch.cov(shades.T).trace()
    assert frechet_distance(x, 2 * x) == pytest.approx(expected.item(), rel=1e-4)


def test_real_digits_are_nearer_to_real_digits_than_independent_pixels_are() -> None:
    train, valid, test = digits()
    blobs = independent_pixels(train, 500, torch.Generator().manual_seed(0))
    assert 5 * frechet_distance(valid, test) < frechet_distance(blobs, test)


def test_independent_pixels_stay_at_their_places() -> None:
    x = torch.arange(4).expand(6, 4)
    assert independent_pixels(x, 3, torch.Generator().manual_seed(0)).equal(x[:3])


def test_a_picture_has_a_digit_for_each_pixel() -> None:
    assert picture(torch.tensor([[0, 9, 10, 15]])) == ["09af"]


@pytest.mark.slow
def test_a_measurement_holds_what_the_chapter_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "N_SAMPLES", 40)
    pixels, codes = (measure(0, kind=kind, budget=1, rate=0.01) for kind in ("pixels", "codes"))
    assert codes["test"]["nats"] > codes["test"]["codes"] and len(codes["again"]) == 8
    assert {"valid", "test", "distance", "sampling", "samples"} <= pixels.keys() & codes.keys()
    assert codes["sampling"] < pixels["sampling"]
