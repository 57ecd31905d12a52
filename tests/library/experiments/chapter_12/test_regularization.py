"""What the experiments of chapter 12 drop, hide and measure."""

import math

import pytest
import torch

from transformer_lib.experiments.chapter_12 import regularization
from transformer_lib.experiments.chapter_12.regularization import SITES, build, drop_at


def model():
    return build(40, torch.Generator().manual_seed(0), width=16)


def logits(some, seed):
    torch.manual_seed(seed)
    with torch.no_grad():
        return some.logits(torch.arange(20)[None])


@pytest.mark.parametrize("site", SITES)
def test_each_site_drops_in_training_alone(site):
    some, plain = model(), model()
    drop_at(some, {site: 0.5})
    assert not torch.equal(logits(some, 0), logits(some, 1))
    torch.testing.assert_close(logits(some.eval(), 0), logits(plain.eval(), 1))


def test_no_site_drops_nothing():
    some = model()
    drop_at(some, {})
    assert torch.equal(logits(some, 0), logits(some, 1))


@pytest.mark.parametrize("site, whose", [("attended", "attention"), ("output", "feed_forward")])
def test_a_branch_is_dropped_as_a_whole_and_scaled(site, whose):
    some = model()
    drop_at(some, {site: 0.25})
    branch, x = getattr(some.stack.blocks[0], whose), torch.randn(1, 9, 16)
    torch.manual_seed(0)
    dropped, kept = branch(x), branch.eval()(x)
    zero = dropped == 0
    assert 0 < zero.sum() < zero.numel()
    torch.testing.assert_close(dropped[~zero], kept[~zero] / 0.75)


def test_a_word_that_occurs_once_is_unknown():
    text = regularization.docstring_words()
    assert text.train.bincount()[2:].min() >= 2
    assert 0 < (text.train == 1).float().mean() < (text.test == 1).float().mean() < 0.25


def test_a_run_stops_where_the_validation_loss_is_least():
    curve = {
        str(step): {"train": 0.0, "valid": valid, "test": 10 * valid}
        for step, valid in ((5, 3.0), (10, 2.0), (20, 4.0))
    }
    found = regularization.best(curve)
    assert (found["valid"], found["test"], found["stop"], found["last"]) == (2.0, 20.0, 10, 40.0)


@pytest.mark.slow
def test_a_few_steps_give_the_same_again_and_hiding_changes_them():
    text = regularization.stories(5)
    small = {"rate": 0.1, "width": 16, "points": (3, 6)}
    first, again = (regularization.train(0, text, **small) for _ in range(2))
    assert first == again and list(first) == ["3", "6"]
    assert all(0 < loss < 2 * math.log(text.vocab_size) for loss in first["6"].values())
    for change in (
        {"sites": {"inner": 0.5}},
        {"smoothing": 0.5},
        {"decay": 30.0},
        {"input_dropout": 0.5},
    ):
        assert regularization.train(0, text, **small, **change) != first


def test_what_is_hidden_reaches_the_model(monkeypatch):
    seen = {}
    monkeypatch.setattr(
        regularization,
        "train",
        lambda *a, **k: seen.update(k) or {"1": dict.fromkeys(("valid", "test"), 0.0)},
    )
    regularization.measure_augmentation(0, hidden="input and dimensions", share=0.3, dropout=0.2, rate=0.01)
    assert seen["sites"] == {"input": 0.3, "weights": 0.2, "attended": 0.2, "inner": 0.2, "output": 0.2}
    assert seen["input_dropout"] == 0.3
