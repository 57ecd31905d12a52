"""The six models of a short text read the same words, and have the sizes that the chapter says."""

import pytest
import torch

from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_07 import overfitting as module
from transformer_lib.experiments.chapter_07.overfitting import KINDS, WINDOW, build


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_prediction_depends_on_all_words_that_the_model_may_read_and_on_no_later_one(kind):
    torch.manual_seed(0)
    model = build(kind, 0)
    tokens = torch.randint(192, (1, WINDOW))
    reach = 8 if "8 words" in kind else WINDOW
    words = model.words if hasattr(model, "words") else model.token_embedding
    kept = []
    words.register_forward_hook(lambda _, __, out: kept.append(out.requires_grad_()))
    middle = WINDOW // 2
    logits = model.logits(tokens)
    (gradient,) = torch.autograd.grad(logits[0, middle].square().sum(), kept[0], retain_graph=True)
    assert gradient[0, middle + 2 :].abs().max() == 0
    assert gradient[0, max(0, middle - reach + 2) : middle].abs().sum(-1).min() > 0


def test_all_but_the_wide_one_have_about_as_many_parameters():
    counts = {kind: sum(p.numel() for p in build(kind, 0).parameters()) for kind in KINDS}
    wide = counts.pop("fully connected, wide")
    assert max(counts.values()) < 1.15 * min(counts.values()) and wide > 4 * max(counts.values())


def test_an_unknown_model_is_refused():
    with pytest.raises(ValueError, match="there is no model 'perceptron'; choose one of fully connected,"):
        build("perceptron", 0)


def test_both_texts_are_measured_and_training_learns_the_one_it_reads():
    found = module.train(0, kind="fully connected, 8 words", rate=0.01, steps=100)
    assert list(found) == ["25", "50", "100"]
    assert found["100"]["train"] < found["25"]["train"] and found["100"]["train"] < found["100"]["test"]


def test_each_condition_is_measured_with_its_settings(monkeypatch):
    monkeypatch.setattr(module, "train", lambda seed, **settings: {"seed": seed, **settings})
    assert run_seed(module.EXPERIMENT, 3, kind="LSTM", rate=0.01) == {"seed": 3, "kind": "LSTM", "rate": 0.01}
