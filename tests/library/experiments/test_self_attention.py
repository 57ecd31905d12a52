"""Chapter 6's experiments: what they measure is what their words say, and a seed gives the same again."""

import json

import pytest
import torch

from transformer_lib.experiments import questions, self_attention
from transformer_lib.experiments.recall import N_SYMBOLS, SCALINGS, RecallHead, recall
from transformer_lib.training import read_record


def test_an_answer_is_the_first_word_of_its_kind_and_stands_in_the_story():
    texts = questions.tales().test[:20]
    stories = questions.read_stories(texts)
    decode = questions.tales().tokenizer.decode
    for text, length, answers in zip(texts, stories.lengths.tolist(), stories.answers.tolist()):
        assert length == len(text.split())
        assert all(word in text.split() for word in decode(answers).split())


def test_scrambling_keeps_the_words_of_a_story_and_its_padding():
    stories = questions.read_stories(questions.tales().test[:20])
    scrambled = stories.shuffled(0)
    assert not torch.equal(scrambled.tokens, stories.tokens)
    for before, after, length in zip(stories.tokens, scrambled.tokens, stories.lengths.tolist()):
        assert torch.equal(before[:length].sort().values, after[:length].sort().values)
        assert torch.equal(before[length:], after[length:])


def test_a_head_without_positions_answers_scrambled_stories_alike():
    head = questions.train_question_head(0, steps=2)
    stories = questions.read_stories(questions.tales().test[:20])
    with torch.no_grad():
        torch.testing.assert_close(head(stories.shuffled(0)), head(stories), rtol=1e-4, atol=1e-5)


def head_of(name: str, k: int) -> RecallHead:
    options = {key: value for key, value in SCALINGS[name](k).items() if key != "query_rate"}
    return RecallHead(d_head=k, generator=torch.Generator().manual_seed(1), **options)


def test_the_same_start_is_the_same_function_and_the_plain_start_is_not():
    generator = torch.Generator().manual_seed(0)
    shown = torch.rand(5, N_SYMBOLS, generator=generator).argsort(-1)
    answer = torch.randint(N_SYMBOLS, shown.shape, generator=generator)
    scores = {name: head_of(name, 64)(shown, answer, shown[:, 0]) for name in SCALINGS}
    torch.testing.assert_close(scores["not scaled, same start"], scores["scaled"], rtol=1e-4, atol=1e-5)
    assert (scores["not scaled"] - scores["scaled"]).abs().max() > 0.1


def test_a_slower_query_matrix_undoes_the_missing_scale():
    settings = {"d_head": 32, "rate": 0.003, "steps": (100,)}
    scaled = recall(0, **settings)
    slower = recall(0, **settings, **SCALINGS["same start, slower W_q"](32))
    assert slower["100"]["loss"] == pytest.approx(scaled["100"]["loss"], abs=1e-3)


def test_successor_asks_for_the_next_symbol_and_match_for_the_same():
    torch.manual_seed(0)
    easy = recall(0, task="match", rate=0.01)
    assert easy == recall(0, task="match", rate=0.01) != recall(0, task="successor", rate=0.01)
    assert easy["200"]["right"] > 0.95


def test_a_longer_run_begins_like_a_shorter_one():
    assert recall(3, steps=(60, 80))["60"] == recall(3, steps=(60,))["60"]


def test_a_tied_head_has_one_matrix_for_queries_and_keys():
    head = RecallHead(tied=True)
    assert head.W_q is head.W_k
    assert len(list(RecallHead().parameters())) == len(list(head.parameters())) + 1


def test_tying_uses_the_query_part_of_the_packed_matrix():
    weight = torch.arange(12.0).view(6, 2)
    tied = self_attention.QueriesAreKeys()(weight)
    assert torch.equal(tied[:2], weight[:2]) and torch.equal(tied[2:4], weight[:2])
    assert torch.equal(tied[4:], weight[4:])


def test_a_record_holds_what_each_seed_measured(tmp_path, monkeypatch):
    small = self_attention.Experiment(lambda seed: {"twice": 2 * seed}, (0, 3), False)
    monkeypatch.setitem(self_attention.EXPERIMENTS, "scaling", small)
    self_attention.main(["scaling", str(tmp_path / "record.json")])
    record = read_record(tmp_path / "record.json")
    assert record.result == {"seeds": {"0": {"twice": 0}, "3": {"twice": 6}}} and record.seeds == [0, 3]
    assert record.command[:4] == ["python", "-m", "transformer_lib.experiments.self_attention", "scaling"]
    assert json.loads((tmp_path / "record.json").read_text())["format_version"] == 1
