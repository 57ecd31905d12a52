"""The models of the scoreboard: each learns, each is causal, and the best weights are kept."""

import pytest
import torch

from transformer_lib.experiments.chapter_11 import scoreboard
from transformer_lib.experiments.shared import small_tales, thank_you

MODELS = list(scoreboard.CHAPTERS)


@pytest.mark.parametrize("model", MODELS)
def test_a_model_predicts_each_token_from_those_before_it(model):
    torch.manual_seed(0)
    network = scoreboard.build(model)
    tokens = thank_you.questions()[0].prompt[None]
    changed = tokens.clone()
    changed[0, -1] += 1
    with torch.no_grad():
        before, after = network(tokens), network(changed)
    assert before.shape == (*tokens.shape, small_tales.tales().tokenizer.vocab_size)
    torch.testing.assert_close(before[:, :-1], after[:, :-1])
    assert not torch.allclose(before[:, -1], after[:, -1])


def test_the_window_reads_three_words_and_no_more():
    network = scoreboard.FixedWindow(20)
    tokens = torch.arange(8)[None]
    last = network(tokens)[0, -1]
    torch.testing.assert_close(network(tokens[:, -3:])[0, -1], last)
    assert not torch.allclose(network(tokens[:, -2:])[0, -1], last)


def test_training_keeps_the_weights_of_the_least_validation_loss():
    torch.manual_seed(0)
    network = scoreboard.build("window of 3 words")
    curve = scoreboard.fit(network, torch.Generator().manual_seed(0), steps=40, rate=0.3)
    least = min(point["valid"] for point in curve)
    assert [point["step"] for point in curve] == list(range(2, 41, 2))
    assert thank_you.valid_nats(network) == pytest.approx(least, abs=1e-4)
    assert least < curve[0]["valid"]


def test_a_run_is_the_same_again_and_says_what_the_scoreboard_shows():
    once, again = (scoreboard.measure(3, model="window of 3 words", steps=4, rate=0.01) for _ in range(2))
    assert once == again
    assert {"chapter", "near", "far", "nats", "says"} <= once.keys() and once["parameters"] == 34_112


def test_counting_has_the_same_right_at_every_seed():
    counted = scoreboard.measure(0, model="4-gram")
    assert counted == scoreboard.measure(1, model="4-gram") and counted["nats"] < 1.5
