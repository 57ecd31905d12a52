"""The head that finds words in stories: its answers stand there, and it measures what its words say."""

import torch

from transformer_lib.experiments import questions, run_seed


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


def test_a_measurement_names_every_question(monkeypatch):
    monkeypatch.setattr(questions, "train_question_head", lambda *a, **k: questions.QuestionHead())
    measured = run_seed(questions.EXPERIMENT, 0, positions=False)
    assert set(measured) == {"in order", "scrambled", "weight before", "weight after"}
    assert all(tuple(part) == questions.QUESTIONS for part in measured.values())
