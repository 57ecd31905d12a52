"""Beams on translators that are stopped early: what is decoded, and how it is scored."""

import itertools

import pytest
import torch

from transformer_lib.experiments.chapter_14 import beams
from transformer_lib.experiments.chapter_14.beams import Found, most_probable
from transformer_lib.interfaces import SequenceModel

END = 0


class Table(SequenceModel):
    """Random probabilities of the next token, another distribution after each pair of tokens."""

    vocab_size = 4

    def __init__(self, seed):
        super().__init__()
        self.table = torch.randn(4, 4, 4, generator=torch.Generator().manual_seed(seed)) * 2

    def logits(self, tokens):
        before = torch.nn.functional.pad(tokens, (1, 0))[:, :-1]
        return self.table[before, tokens]


@pytest.fixture(scope="module")
def small():
    ((_, model),) = beams.train(0, 0.1, (2,))
    return model, beams.Sources(6)


@pytest.mark.parametrize("seed", range(5))
def test_the_exact_search_finds_what_trying_every_text_finds(seed):
    model, best = Table(seed), (-float("inf"), ())
    for length in range(6):
        for text in itertools.product(range(1, 4), repeat=length):
            log_p = float(model.log_prob(torch.tensor([[*text, END]]))[0])
            best = max(best, (log_p, text))
    found = most_probable(model, END, Found("", -20.0), n_tokens=6)
    assert found is not None and found[0] is not None
    assert tuple(found[0].tolist()) == best[1] and found[1] == pytest.approx(best[0], abs=1e-4)


def test_the_exact_search_keeps_what_is_known_if_nothing_beats_it_and_gives_up_on_too_many():
    assert most_probable(Table(0), END, Found("", 0.0)) == (None, 0.0)
    assert most_probable(Table(0), END, Found("", -50.0), most=0) is None


@pytest.mark.slow
def test_a_training_hands_out_the_model_at_each_of_its_steps():
    assert [step for step, _ in beams.train(0, 0.0, (1, 2))] == [1, 2]


def test_a_found_text_has_the_log_probability_that_the_model_gives_it(small):
    model, sources = small
    found = beams.decode(model, sources, 2)
    assert len(found) == len(sources.references) == 6
    ours = [beams.corpus().target_tokenizer.encode(f.text) for f in found]
    sources.encoded = [[(s, t) for (s, _), t in zip(sources.encoded[0], ours)]]
    scores = beams.score_of_references(model, sources)
    for translation, target, log_prob in zip(found, ours, scores):
        if len(target) < beams.LONGEST:
            assert translation.log_prob == pytest.approx(log_prob, abs=1e-3)


def test_scores_count_matches_empty_texts_and_references_that_the_search_missed():
    found = [Found("one", -1.0), Found("", -2.0)]
    scores = beams.score(found, ["one", "twenty-two"], [-1.0, -1.5])
    assert (scores["exact"], scores["empty"], scores["missed"]) == (0.5, 0.5, 0.5)
    assert scores["words"] == pytest.approx(1 / 3, abs=1e-4) and scores["nats"] == 1.5


@pytest.mark.slow
def test_a_measurement_has_every_number_of_beams_and_the_exact_search(monkeypatch):
    monkeypatch.setattr(beams, "BEAMS", (1, 4))
    result = beams.measure(0, smoothing=0.1, steps=(2,), n_test=4)
    texts = result.pop("outputs")["2"]
    assert set(result) == {"2"} and {"1 beams, 0", "4 beams, 0.6", "search"} <= set(result["2"])
    assert texts.keys() == result["2"].keys() - {"reference", "search"}
    references = beams.Sources(4).references
    for name, found in texts.items():
        exact = sum(text == reference for text, reference in zip(found, references, strict=True)) / 4
        assert exact == result["2"][name]["exact"]
