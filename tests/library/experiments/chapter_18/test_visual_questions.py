"""What the controls hide is hidden, and a short training is repeated by its seed."""

import torch

from transformer_lib.data import WordTokenizer, load_visual_questions
from transformer_lib.experiments.chapter_18 import visual_questions
from transformer_lib.experiments.chapter_18.visual_questions import build, encoded, fit, hidden, right


def small(n=40):
    data = load_visual_questions(n, rows=2, columns=3)
    tokenizer = WordTokenizer.fit(data.questions)
    return data, tokenizer, encoded(data, tokenizer)


def test_who_sees_one_half_gets_the_same_for_every_other_half():
    data, tokenizer, batch = small()
    model = build(tokenizer, len(data.answer_words), 0).eval()
    blind, deaf = hidden(batch, "question"), hidden(batch, "picture")
    assert blind.images.count_nonzero() == 0 and torch.equal(blind.questions, batch.questions)
    assert torch.equal(deaf.images, batch.images)
    same = deaf.rows(torch.tensor([0, 0]))._replace(images=deaf.images[:2])
    other = hidden(
        batch._replace(questions=batch.questions.roll(1, 0), lengths=batch.lengths.roll(1)), "picture"
    )
    with torch.no_grad():
        assert torch.equal(model(*same[:3]), model(*other.rows(torch.tensor([0, 1]))[:3]))
    assert hidden(batch, "both") is batch


def test_a_share_is_counted_over_each_kind_of_question():
    data, _, batch = small()

    class Knows(torch.nn.Module):
        def forward(self, images, questions, lengths):
            answers = torch.nn.functional.one_hot(batch.answers, len(data.answer_words)).double()
            counting = torch.tensor([q.startswith("how many") for q in data.questions])
            return torch.where(counting[:, None], answers, -answers)

    found = right(Knows(), data, batch)
    assert found["counting"] == 100.0 and found["neighbors"] == 0.0 and 0 < found["right"] < 100


def test_the_step_is_chosen_by_validation_answers(monkeypatch):
    """The test answers are best where the validation answers are not."""
    scores = {10: (50.0, 90.0), 20: (70.0, 60.0), 30: (60.0, 80.0)}
    asked = iter([score for pair in scores.values() for score in pair])
    data = small()[0]
    monkeypatch.setattr(visual_questions, "STEPS", tuple(scores))
    monkeypatch.setattr(visual_questions, "questions", lambda part: data)
    monkeypatch.setattr(visual_questions, "fit", lambda *arguments, **options: iter(range(1, 31)))
    monkeypatch.setattr(visual_questions, "right", lambda *arguments: {"right": next(asked)})
    found = visual_questions.measure(0, sees="both", rate=0.001)
    assert (found["step"], found["right"], found["valid"]) == (20, 60.0, 30.0)


def test_a_seed_repeats_its_training():
    data, tokenizer, batch = small()
    models = [build(tokenizer, len(data.answer_words), 3) for _ in range(2)]
    for model in models:
        assert list(fit(model, batch, rate=0.003, steps=2, seed=3)) == [1, 2]
    assert all(torch.equal(a, b) for a, b in zip(models[0].parameters(), models[1].parameters()))
    assert {c["sees"] for c in visual_questions.EXPERIMENT.conditions} == set(visual_questions.SEES)
