"""Half digits: what is kept, what is drawn, and how it is read."""

import torch

from transformer_lib.density.nade import TiedBinaryNADE
from transformer_lib.experiments import load_results
from transformer_lib.experiments.chapter_02.half_digits import (
    AGREEING,
    DRAWINGS,
    complete,
    nearest_digit,
)


def a_nade() -> TiedBinaryNADE:
    generator = torch.Generator().manual_seed(0)
    model = TiedBinaryNADE(5, 3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator))
    return model


def test_what_is_known_is_kept_and_the_rest_drawn_from_the_conditionals() -> None:
    model, known = a_nade(), torch.tensor([1, 0, 1])
    x = torch.cat([known, torch.tensor([0, 0])]).expand(20_000, 5)
    drawn = complete(model, x, 3, torch.Generator().manual_seed(1))
    assert drawn[:, :3].equal(x[:, :3]) and not x.any(dim=0)[3:].any()
    for end in ([0, 0], [0, 1], [1, 0], [1, 1]):
        whole = torch.cat([known, torch.tensor(end)])[None]
        expected = model.conditional_log_probs(whole)[0, 3:].sum().exp().item()
        share = (drawn[:, 3:] == torch.tensor(end)).all(dim=1).float().mean().item()
        assert abs(share - expected) < 4 * (expected / 20_000) ** 0.5


def test_drawing_from_nothing_is_sampling() -> None:
    model, nothing = a_nade(), torch.zeros(5_000, 5, dtype=torch.long)
    drawn = complete(model, nothing, 0, torch.Generator().manual_seed(1)).float().mean(dim=0)
    sampled = model.sample(5_000, 5, generator=torch.Generator().manual_seed(2)).float().mean(dim=0)
    torch.testing.assert_close(drawn, sampled, atol=0.04, rtol=0)


def test_an_image_is_read_as_the_nearest_one() -> None:
    images, labels = torch.tensor([[0, 0, 0, 0], [1, 1, 1, 1]]), torch.tensor([7, 3])
    x = torch.tensor([[0, 1, 0, 0], [1, 1, 1, 0]])
    assert nearest_digit(x, images, labels).tolist() == [7, 3]


def test_the_groups_of_the_record_hold_every_image_once() -> None:
    sizes = [size for group in AGREEING.values() for size in range(group[0], group[1] + 1)]
    assert sorted(sizes) == list(range(1, DRAWINGS + 1))
    results = load_results("half-digits")
    totals = [sum(group) for group in zip(*(results.values(f"{name}.images") for name in AGREEING))]
    assert totals == [400] * len(results.record.seeds)
