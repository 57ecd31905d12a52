"""The head that finds words in stories: its answers stand there, and it measures what its words say."""

import torch

from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_06 import question_head


def test_an_answer_is_the_first_word_of_its_kind_and_stands_in_the_story():
    texts = question_head.tales().test[:20]
    stories = question_head.read_stories(texts)
    decode = question_head.tales().tokenizer.decode
    for text, length, answers in zip(texts, stories.lengths.tolist(), stories.answers.tolist()):
        assert length == len(text.split())
        assert all(word in text.split() for word in decode(answers).split())


def test_scrambling_keeps_the_words_of_a_story_and_its_padding():
    stories = question_head.read_stories(question_head.tales().test[:20])
    scrambled = stories.shuffled(0)
    assert not torch.equal(scrambled.tokens, stories.tokens)
    for before, after, length in zip(stories.tokens, scrambled.tokens, stories.lengths.tolist()):
        assert torch.equal(before[:length].sort().values, after[:length].sort().values)
        assert torch.equal(before[length:], after[length:])


def test_a_head_without_positions_answers_scrambled_stories_alike():
    head = question_head.train_question_head(0, steps=2)
    stories = question_head.read_stories(question_head.tales().test[:20])
    with torch.no_grad():
        torch.testing.assert_close(head(stories.shuffled(0)), head(stories), rtol=1e-4, atol=1e-5)


def test_a_measurement_names_every_question(monkeypatch):
    monkeypatch.setattr(question_head, "train_question_head", lambda *a, **k: question_head.QuestionHead())
    measured = run_seed(question_head.EXPERIMENT, 0, positions=False)
    assert set(measured) == {"in order", "scrambled", "weight before", "weight after"}
    assert all(tuple(part) == question_head.QUESTIONS for part in measured.values())
