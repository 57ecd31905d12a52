"""The question of the scoreboard is the same for every model, and its answer is counted right."""

import torch
from torch.nn import functional as F

from transformer_lib.experiments.running.results import Results
from transformer_lib.experiments.shared import thank_you
from transformer_lib.experiments.shared.small_tales import tales
from transformer_lib.training import Record

WORDS = tales().tokenizer
CANDIDATES = {question.name for question in thank_you.questions()}


def test_every_question_ends_before_the_hero_s_name_and_the_story_names_nobody_else():
    assert len(thank_you.questions()) == 100
    for question in thank_you.questions():
        story = question.prompt.tolist()
        assert WORDS.decode(story[-4:]) == '" thank you ,' and story[0] == WORDS.end_token
        assert CANDIDATES & set(story) == {question.name}
    assert sum(question.is_near for question in thank_you.questions()) == 74


def test_a_model_that_looks_for_a_name_is_right_as_far_as_it_looks():
    def name_among_last(n):
        def logits(tokens):
            names = [token if token in CANDIDATES else -1 for token in tokens[0, -n:].tolist()]
            found = max(names)
            one_hot = F.one_hot(torch.tensor(max(found, 0)), WORDS.vocab_size).float()
            return one_hot.expand(*tokens.shape, -1)

        return logits

    assert _shares(name_among_last(20)) == (1.0, 0.0)
    assert _shares(name_among_last(thank_you.CONTEXT)) == (1.0, 1.0)
    assert _shares(name_among_last(3)) == (0.0, 0.0)


def _shares(model):
    found = thank_you.score(model)
    return found["near"], found["far"]


def test_a_continuation_is_the_likeliest_words_up_to_the_end_of_the_story():
    story = next(text for text in tales().test if " thank you , " in text)
    tokens = torch.tensor([WORDS.end_token, *WORDS.encode(story), WORDS.end_token])

    def remembers(read):
        place = read.shape[1] - 1 if torch.equal(read[0], tokens[: read.shape[1]]) else 0
        return F.one_hot(tokens[place + 1], WORDS.vocab_size).float().expand(*read.shape, -1)

    assert thank_you.score(remembers)["says"] == story.partition(" thank you , ")[2]


def test_the_scoreboard_has_the_rows_up_to_a_chapter_in_order_from_all_records():
    def results(*rows):
        runs = [
            {"seed": seed, "settings": {"model": model}, "result": {**row, "near": 0.5 + seed / 4}}
            for model, row in rows
            for seed in (0, 1)
        ]
        return Results(_record(runs))

    row = {"far": 0.25, "nats": 1.0}
    late = results(("late", {**row, "chapter": 9, "says": "who ?"}))
    early = results(
        ("GPT", {**row, "chapter": 6, "says": "ada !"}), ("count", {**row, "chapter": 1, "says": "ben !"})
    )
    shown = thank_you.scoreboard([late, early], 8)
    assert [row[:4] for row in shown.table.rows] == [
        ("count", "1", "0.62", "0.25"),
        ("GPT", "6", "0.62", "0.25"),
    ]
    assert repr(shown).splitlines()[-2:] == ["count  ben !", "GPT    ada !"]
    assert "<dd>ben !</dd>" in shown._repr_html_() and "late" not in shown._repr_html_()
    assert list(thank_you.scoreboard([late, early], 9).says) == ["count", "GPT", "late"]


def _record(runs):
    return Record.of_run(config={}, data={}, seeds=[0, 1], minutes=0.0, curve=[], result={"runs": runs})


def test_the_longest_training_of_a_model_is_its_row():
    row = {"near": 0.0, "far": 0.0, "chapter": 4, "says": "short"}
    records = [
        Results(
            _record(
                [
                    {"seed": seed, "settings": {"model": "LSTM", "steps": steps}, "result": found}
                    for seed in (0, 1)
                ]
            )
        )
        for steps, found in ((10, {**row, "nats": 2.0}), (30, {**row, "nats": 1.0, "says": "long"}))
    ]
    both = Results(_record([run for one in records for run in one.record.result["runs"]]))
    for order in (records, records[::-1], [both]):
        shown = thank_you.scoreboard(order, 4)
        assert shown.table.rows == (("LSTM", "4", "0.00", "0.00", "1.00"),) and shown.says == {"LSTM": "long"}
