"""Counting and the window network: what they read, and what a run says of them."""

import pytest
import torch

from transformer_lib.data import load_tales
from transformer_lib.experiments.chapter_01 import windows


@pytest.fixture(autouse=True)
def small(monkeypatch):
    stories = load_tales(n_train=40, n_valid=5, n_test=5, seed=0)
    monkeypatch.setattr(windows, "corpus", lambda seed: stories)
    monkeypatch.setattr(windows, "N_WRITTEN", 4)


def plain_examples(tokenizer, stories, n_words):
    """The chapter's four lines."""
    rows = []
    for story in stories:
        text = [tokenizer.end_token] * n_words + [*tokenizer.encode(story), tokenizer.end_token]
        rows += [text[t : t + n_words + 1] for t in range(len(text) - n_words)]
    data = torch.tensor(rows)
    return data[:, :-1], data[:, -1]


@pytest.mark.parametrize("n_words", [1, 3, 100])
def test_examples_are_those_that_the_chapter_cuts(n_words):
    corpus = windows.corpus(0)
    found = windows.examples(corpus, corpus.train, n_words)
    expected = plain_examples(corpus.tokenizer, corpus.train, n_words)
    assert torch.equal(found[0], expected[0]) and torch.equal(found[1], expected[1])


def test_the_network_reads_its_words_and_no_others():
    network = windows.WindowNetwork(20, 3, start_token=0)
    assert windows.WindowNetwork(192, 3, start_token=0).n_parameters() == 34_112
    tokens = torch.arange(8)[None] + 1
    last = network(tokens)[0, -1]
    torch.testing.assert_close(network(tokens[:, -3:])[0, -1], last)
    assert not torch.allclose(network(tokens[:, -2:])[0, -1], last)


def test_a_story_has_the_same_probability_as_examples_and_as_a_sequence():
    corpus = windows.corpus(0)
    network = windows.WindowNetwork(corpus.tokenizer.vocab_size, 3, corpus.tokenizer.end_token)
    tokens = [torch.tensor([[*corpus.tokenizer.encode(s), corpus.tokenizer.end_token]]) for s in corpus.test]
    by_sequence = torch.cat([network.conditional_log_probs(t, stride=1)[0] for t in tokens]).detach().double()
    by_example = torch.from_numpy(windows.log_probs(network, 0, "test"))
    torch.testing.assert_close(by_example, by_sequence, rtol=1e-5, atol=1e-5)


def test_a_longer_training_fits_better_and_the_best_weights_are_kept():
    network, curve = windows.train(0, words=3, stories=40, steps=40, rate=0.01)
    assert curve[-1]["valid"] < curve[0]["valid"]
    least = min(point["valid"] for point in curve)
    assert -windows.log_probs(network, 0, "valid").mean() == pytest.approx(least, abs=1e-4)


@pytest.mark.parametrize("settings", [{"model": "counts"}, {"model": "network", "steps": 4, "rate": 0.01}])
def test_a_run_is_the_same_again_and_no_better_than_the_source(settings):
    once, again = (windows.measure(1, words=2, stories=20, **settings) for _ in range(2))
    assert once == again
    assert once["nats"] > once["excess"] > 0 and 0 <= once["kept"] <= 1


def test_what_is_written_ends_at_the_first_end_token():
    corpus = windows.corpus(0)
    network, _ = windows.train(0, words=2, stories=40, steps=1, rate=0.01)
    written = windows.write(network, 0)
    end = corpus.tokenizer.decode([corpus.tokenizer.end_token])
    assert len(written) == 4 and not any(end in text for text in written)
