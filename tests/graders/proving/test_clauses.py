"""Every clause of a text names the part that tests it, and the mistake that only this part catches."""

from pathlib import Path

import pytest
from autograder.authoring.layers import Layers
from autograder.authoring.spec import Part, Question
from autograder.proving.clauses import gaps, question_texts, sentences
from grader_cases import FOLDERS

STUB = '''def top(scores, k):
    """The largest.

    scores:  float tensor (n,)
    k:       a whole number, at least 1,
             and n or less
    returns: float tensor (k,)
    """
'''
TEXT = """## 01.1 Largest

*3 points, difficulty 2, 10 minutes.* Give the $2 k$ largest of 01.2. A score may be minus infinity.

$$
x = 2 y . Z = 3
$$

The first of equal ones counts."""


def told(clauses: dict, kind: str = "implement", mistakes: dict | None = None) -> list[str]:
    parts = tuple(Part(name, 1, "", reads=("x",), hints=("a", "b")) for name in ("values", "ties"))
    question = Question("01.1", "", kind, 1, 1, parts, clauses=clauses)
    return list(
        gaps(question, TEXT, STUB, {"last": ("ties",), "both": ("values", "ties")} | (mistakes or {}))
    )


FULL = {
    "may be minus infinity": "torch.topk's own values; every mistake with them loses the values",
    "first of equal ones": ("ties", "last"),
    "a whole number, at least 1, and n or less": "the range of what is drawn",
}


def test_a_sentence_without_a_clause_is_told_and_formulas_and_points_are_not() -> None:
    assert told(FULL) == []
    without = [told({k: v for k, v in FULL.items() if k != phrase}) for phrase in FULL]
    assert [len(failures) for failures in without] == [1, 1, 1]
    assert without[1] == ["01.1: no clause for 'equal' in: The first of equal ones counts."]


def test_numbers_are_limits_where_a_function_is_asked_for() -> None:
    text = "## 01.1 T\n\nScores up to 80 occur."
    question = Question("01.1", "", "implement", 1, 1, (Part("v", 1, "", reads=("x",), hints=("a", "b")),))
    assert list(gaps(question, text, "", {})) == ["01.1: no clause for '80' in: Scores up to 80 occur."]
    derived = Question("01.1", "", "derive", 1, 1, question.parts)
    assert list(gaps(derived, text, "", {})) == []


@pytest.mark.parametrize(
    "entry, why",
    [
        (("tie", "last"), "names the part 'tie'; there are values, ties"),
        (("values", "last"), "no mistake 'last' loses the part 'values' alone"),
        (("ties", "both"), "no mistake 'both' loses the part 'ties' alone"),
        ("untested", "needs a reason in words, not 'untested'"),
    ],
)
def test_an_entry_that_proves_nothing_is_told(entry: object, why: str) -> None:
    (failure,) = told(FULL | {"first of equal ones": entry})
    assert why in failure


def test_a_clause_that_the_text_lacks_is_told() -> None:
    assert told(FULL | {"the last of equal ones": ("ties", "last")}) == [
        "01.1: the clause 'the last of equal ones' is not in the text"
    ]


def test_a_sentence_ends_where_a_line_of_a_list_begins() -> None:
    found = [" ".join(sentence.split()) for sentence in sentences("T\n\n- one may\n- two may", "")]
    assert found == ["T", "- one may", "- two may"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_clause_of_the_course_is_in_the_ledger(folder: Path) -> None:
    layers = Layers.of(folder, None)
    source, bank = layers.source(), layers.bank("wrong")
    texts = question_texts(source)
    missing = [
        gap
        for question in layers.questions()
        for gap in gaps(
            question,
            texts[question.id],
            source.stubs[question.id],
            {answer.name: answer.loses for answer in bank if answer.question == question.id},
        )
    ]
    assert not missing, "\n".join(missing)
