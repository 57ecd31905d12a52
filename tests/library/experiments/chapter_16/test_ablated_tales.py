"""Language models without some of an LSTM's parts, and what their gates do."""

import math

import pytest
import torch

from transformer_lib.experiments.chapter_16 import ablated_tales as tales
from transformer_lib.experiments.chapter_16.ablated_recall import FORMS, NO_GATES


def model(form, width=6):
    return tales.StoryReader(form, torch.Generator().manual_seed(0), width)


@pytest.mark.parametrize("form", [*FORMS, NO_GATES])
def test_a_later_word_cannot_change_an_earlier_prediction(form):
    tokens = torch.tensor([[1, 2, 3, 4, 5]])
    changed = torch.tensor([[1, 2, 7, 4, 5]])
    with torch.no_grad():
        moved = (model(form)(tokens) - model(form)(changed)).abs().amax(-1)[0] > 1e-6
    assert moved.tolist() == [False, False, True, True, True]


def test_what_is_taken_away_is_not_counted():
    sizes = {form: model(form).n_parameters() for form in (*FORMS, NO_GATES)}
    d, words = 6, tales.whole_transformer.tales().tokenizer.vocab_size
    outside = words * d + d * words + words
    assert sizes["LSTM"] == outside + 4 * d * (2 * d + 1)
    assert sizes["none of the three"] == outside + 3 * d * (d + 1)


def test_with_constant_gates_what_is_left_is_a_power_and_no_weight_rises():
    reader = model("none of the three")
    layer, f = reader.layers[0], 0.9
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
        layer.kernel.bias_ih_l0[6:12] = math.log(f / (1 - f))
    found = tales.gate_facts(reader)
    assert found["rising"] == 0 and found["forget median"] == pytest.approx(f, abs=1e-4)
    assert found["left after 15"] == pytest.approx(f**15, abs=1e-4)
    assert found["ever over 0.99"] == found["mean over 0.99"] == 0


@pytest.mark.slow
def test_training_stops_when_the_loss_has_not_fallen_and_keeps_the_best():
    trained, curve = tales.train(0, form="LSTM", rate=1e-9, steps=50, check=1, patience=2)
    assert curve[-1]["step"] < 50
    best = min(curve, key=lambda point: point["valid"])
    valid = tales.whole_transformer.test_loss(trained, tales.whole_transformer.validation())
    assert valid == pytest.approx(best["valid"], abs=1e-4)


@pytest.mark.slow
def test_a_seed_gives_the_same_model_again():
    once, again = (tales.measure(0, form="none of the three", rate=0.003, steps=4, check=2) for _ in range(2))
    assert once == again and once["best_step"] == 4
