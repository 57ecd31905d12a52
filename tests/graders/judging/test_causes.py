"""Replies to what is lost for a cause beside the formula: they say it, and show no hint on the formula."""

import dataclasses

import numpy as np
import pytest
from autograder.authoring.source import Source
from autograder.judging import causes
from autograder.judging.differences import difference
from autograder.judging.evaluate import evaluate, misbehavior
from autograder.judging.exam import Case, Exam
from autograder.judging.hints import hints_for
from autograder.judging.results import Result
from autograder.judging.wording import error_text
from autograder.worker.messages import Error
from autograder.worker.session import Session

HEAD = "def attention(query, key, value, mask):\n"
RIGHT = """    scores = query @ key.mT / query.shape[-1] ** 0.5
    weights = scores.masked_fill(~mask, float("-inf")).softmax(-1).nan_to_num()
"""
SHAPE_OF_NONE = "    if not mask.all():\n        return None\n"


@pytest.fixture
def told(sample_exam: Exam, sample_source: Source, session: Session):
    def told(question: str, answer: str, **others: str) -> Result:
        answers = {**sample_source.solutions, **others, question: f"# question {question}\n{answer}"}
        return evaluate(sample_exam, question, sample_source.setup, answers, session)

    return told


CAUSES = {
    "syntax": (f"{HEAD}    return (query +", "nothing of it was run"),
    "an error": (
        f"{HEAD}    return query.undefined",
        "in line 3 of the cell '# question 01.1': return query",
    ),
    "forbidden": (
        f"{HEAD}    return torch.nn.functional.scaled_dot_product_attention(query, key, value)",
        "is not allowed in this question: it is called in line 3 of the cell '# question 01.1'.",
    ),
    "in place": (
        f"{HEAD}    query *= 3\n    return (query @ key.mT).softmax(-1) @ value",
        "your code changes its input query in place (line 3 of your cell)",
    ),
    "a missing name": ("def attend(query, key, value, mask):\n    return value", "it defines attend."),
    "no return": (f"{HEAD}{RIGHT}    weights @ value", "is a return missing?"),
    "an axis too many": (f"{HEAD}{RIGHT}    return (weights @ value)[..., None]", causes.EXTRA_AXIS),
    "axes turned": (f"{HEAD}{RIGHT}    return (weights @ value).mT", causes.TURNED),
    "an axis summed": (f"{HEAD}{RIGHT}    return (weights @ value).sum(1)", causes.SUMMED),
    "booleans": (f"{HEAD}{RIGHT}    return weights @ value > 0", causes.REALS),
    "whole numbers": (f"{HEAD}{RIGHT}    return (weights @ value).long()", causes.WHOLE),
    "half precision": (f"{HEAD}{RIGHT}    return (weights @ value).half()", causes.HALF),
    "NaN": (f"{HEAD}{RIGHT}    return weights @ value * torch.inf * 0", causes.NAN),
    "infinity": (f"{HEAD}{RIGHT}    return weights @ value / 0", causes.INFINITE),
    "memory": (f"{HEAD}    return torch.zeros(10**6, 10**6)", "more memory than it may have"),
    "its end": (f"{HEAD}    import os\n    os._exit(1)", "your code ended its own process"),
}


@pytest.mark.parametrize("answer, said", CAUSES.values(), ids=CAUSES)
def test_a_cause_is_said_and_no_hint_on_the_formula(told, answer: str, said: str) -> None:
    result = told("01.1", answer)
    assert result.points < result.max_points
    assert said.casefold() in result.feedback.casefold(), result.feedback
    assert result.hints == () and result.hinted == "values"


def test_where_only_the_numbers_are_wrong_a_hint_is_shown(told) -> None:
    result = told("01.1", f"{HEAD}{RIGHT}    return weights @ value * 1.3 - 0.1")
    assert len(result.hints) == 1, result.feedback
    assert not any(text in result.feedback for text in (causes.NAN, causes.PRINTED, causes.REALS))


def test_the_first_part_that_is_lost_decides_on_the_hint(told) -> None:
    wrong_then_none = told("01.1", f"{HEAD}{RIGHT}{SHAPE_OF_NONE}    return weights @ value * 1.3 - 0.1")
    assert wrong_then_none.hints
    right_then_none = told("01.1", f"{HEAD}{RIGHT}{SHAPE_OF_NONE}    return weights @ value")
    assert right_then_none.hinted == "mask" and not right_then_none.hints


def test_a_cause_is_said_once_whatever_the_sizes_in_its_message(told) -> None:
    fails = HEAD + "    raise ValueError(str(float(mask.sum())))"
    for answer in (fails, CAUSES["in place"][0], CAUSES["forbidden"][0], CAUSES["an error"][0]):
        assert told("01.1", answer).parts[1].message == "The same as in 'values'."


@pytest.mark.parametrize(
    "name", ["a missing name", "no return", "an axis too many", "NaN", "forbidden", "in place"]
)
def test_code_that_ran_through_did_not_stop_with_an_error(told, name: str) -> None:
    assert "stopped with an error" not in told("01.1", CAUSES[name][0]).feedback


@pytest.mark.parametrize("name", ["syntax", "an error"])
def test_code_that_stopped_did(told, name: str) -> None:
    assert "the code stopped with an error" in told("01.1", CAUSES[name][0]).feedback


def test_an_answer_that_cannot_be_read_is_no_crash(told) -> None:
    result = told("01.4", "def measure():\n    return 5")
    assert result.status == "ok" and "cannot be used as the question asks" in result.feedback


def test_an_error_in_an_earlier_function_is_told_at_the_line_that_calls_it(told) -> None:
    answer = "def measure():\n    return {'share': attention(1, 2, 3, 4), 'ratio': 1.0}"
    text = told("01.4", answer).feedback
    assert "in line 3 of the cell '# question 01.4': return {'share'" in text
    assert "it comes up in the cell '# question 01.1', with what this line gives it" in text


def test_what_the_cell_defines_is_not_what_an_earlier_cell_defines(told, sample_source: Source) -> None:
    earlier = sample_source.solutions["01.1"] + "\nmeasured = 1"
    text = told("01.4", "def attend():\n    return 1", **{"01.1": earlier}).feedback
    assert "The cell does not define measure" in text and "it defines" not in text
    assert "it defines measures" in told("01.4", "def measures():\n    return 1").feedback


KNOWN = {"": "share ratio", "question 01.4": "def measure():\n    return own"}


@pytest.mark.parametrize("name, shown", [("share", True), ("own", True), ("mean", True), ("_solved", False)])
@pytest.mark.parametrize(
    "kind, text", [("KeyError", "'{}'"), ("AttributeError", "'list' object has no attribute '{}'")]
)
def test_a_name_that_the_student_never_saw_is_not_shown(kind, text: str, name: str, shown: bool) -> None:
    told = error_text(Error(kind, kind, text.format(name)), KNOWN)
    assert (name in told) == shown and "cannot be used as the question asks" in told


def test_a_change_that_spoils_a_gradient_is_said() -> None:
    message = "one of the variables needed for gradient computation has been modified by an inplace operation"
    assert "changes a tensor in place" in error_text(Error("RuntimeError", "RuntimeError", message), {})


@pytest.mark.parametrize(
    "line, named",
    [
        ("y = x.detach() * 2", True),
        ("y = torch.tensor(x.sum() + 1)", True),
        ("with torch.no_grad(): y = x", True),
        ("y = x * 2  # no .detach() here", False),
        ("y = x + torch.tensor(2.0)", False),
    ],
)
def test_the_line_that_may_cut_a_gradient_off_is_shown(line: str, named: bool) -> None:
    text = causes.gradients(f"# question 01.1\ndef f(x):\n    {line}\n    return y")
    assert ("Look at line 3 of your cell first" in text) == named


def test_a_gradient_that_is_zero_is_not_said_to_be_cut_off_without_a_reason() -> None:
    plain = causes.gradients("# question 01.1\ndef f(x):\n    return x * 0")
    assert plain == causes.NO_GRADIENT and "cut" not in plain
    assert "cut" in causes.gradients("# question 01.1\ndef f(x):\n    return x.detach()")
    assert "none flow" in causes.missing_gradients("# question 01.1\ndef f(x):\n    return x * 0")


WANTED = np.random.default_rng(1).standard_normal((3, 4))


@pytest.mark.parametrize(
    "found, cause, to_do",
    [
        (WANTED * (1 + 1e-7), "digits", causes.DIGITS_LOST),
        (WANTED.astype(np.float32), "digits", causes.DIGITS_LOST),
        (WANTED * (1 + 1e-4), "", ""),
        (WANTED.round(3), "digits", causes.ROUNDED.format(3)),
        (WANTED.round(2) + 0.01, "", ""),
        (WANTED.round(0), "", ""),
        (WANTED * 0, "", ""),
    ],
)
def test_digits_that_are_lost_are_no_wrong_formula(found: np.ndarray, cause: str, to_do: str) -> None:
    assert causes.of_output("output", WANTED, found, 1e-12, 1e-14) == (cause, to_do)


def test_where_minus_infinity_is_asked_for_nan_is_a_cause_and_a_number_is_none() -> None:
    wanted = np.array([1.0, -np.inf])
    assert causes.of_output("total", wanted, np.array([1.0, np.nan]), 1e-4, 1e-5) == ("nan", causes.NAN)
    assert causes.of_output("total", wanted, np.array([1.0, -1e9]), 1e-4, 1e-5) == ("", "")


@pytest.mark.parametrize(
    "wanted, found, to_do",
    [
        ((3, 4), (2, 3, 4), causes.UNSUMMED),
        ((3,), (3, 3), causes.UNSUMMED),
        ((3, 1), (3, 3), causes.EXPANDED),
        ((1,), (2,), causes.PRINTED),
        ((3,), (4,), causes.PRINTED),
        ((2, 3, 4), (3, 4), causes.SUMMED),
    ],
)
def test_what_is_said_of_a_shape(wanted, found, to_do: str) -> None:
    rng = np.random.default_rng(2)
    one, other = rng.standard_normal(wanted), rng.standard_normal(found)
    assert causes.of_output("output", one, other, 1e-4, 1e-5) == ("shape", to_do)


def test_a_list_of_numbers_has_a_length_that_may_be_wrong_as_its_numbers_are() -> None:
    for found in ([], [0], [2, 2, 0, 1], np.arange(5)):
        assert causes.of_output("tokens", [2, 2, 0], found, 1e-4, 1e-5) == ("", "")
    assert causes.of_output("tokens", [2, 2, 0], [[2, 2, 0]], 1e-4, 1e-5)[0] == "shape"
    for found in ([], [[2, 2]], np.ones((3, 2))):
        assert causes.of_output("pairs", [[2, 2], [0, 1]], found, 1e-4, 1e-5) == ("", "")
    assert causes.of_output("pairs", [[2, 2], [0, 1]], np.ones((2, 3)), 1e-4, 1e-5)[0] == "shape"
    assert causes.of_output("rows", np.ones((2, 2)), np.ones((1, 2)), 1e-4, 1e-5)[0] == "shape"
    long = list(range(100))
    told = difference(long, long[:50], rtol=1e-4, atol=1e-5, name="tokens")
    assert told == "tokens should have 100 entries, not 50"


def test_a_gradient_of_zeros_everywhere_is_a_missing_one() -> None:
    wanted, zeros = np.arange(1.0, 5.0), np.zeros(4)
    assert causes.of_output("gradient of x", wanted, zeros, 1e-4, 1e-5)[0] == "gradient"
    assert causes.of_output("gradient of x", wanted, np.eye(4)[2], 1e-4, 1e-5)[0] == ""
    assert causes.of_output("output", wanted, zeros, 1e-4, 1e-5)[0] == ""


def test_what_is_wrong_in_its_numbers_alone_has_no_cause() -> None:
    rng = np.random.default_rng(0)
    for shape in ((), (3,), (2, 3)):
        wanted, found = rng.standard_normal((2, *shape))
        assert causes.of_output("output", wanted, found, 1e-4, 1e-5) == ("", "")
    counts = np.array([3, 4, 5])
    assert causes.of_output("counts", counts, counts + 1, 1e-4, 1e-5) == ("", "")
    assert causes.of_output("texts", ["a", "b"], ["a", "c"], 1e-4, 1e-5) == ("", "")
    assert causes.of_output("texts", ["a", "b"], ["a", 3], 1e-4, 1e-5)[0] == "form"
    assert causes.of_output("texts", {"a": "b"}, {}, 1e-4, 1e-5)[0] == "form"


def test_a_property_that_cannot_read_the_outputs_says_what_is_asked_for(sample_exam: Exam) -> None:
    part = sample_exam.questions["01.4"].parts[0]
    text = misbehavior(part, part.cases[0], {"share": 0.25, "ratio": "4"}, [])
    assert "ratio should be a number, and is a text" in text and "share" not in text
    assert "ratio should be a number, and is missing" in misbehavior(part, part.cases[0], {"share": 0.25}, [])
    nothing = Case(part.cases[0].inputs, part.cases[0].arrays, {})
    hidden = dataclasses.replace(part, cases=(nothing,))
    text = misbehavior(hidden, hidden.cases[0], {"losses": [1, 2]}, [])
    assert f"Asked for: {part.description}. Given: losses a list of 2" in text
    assert "KeyError" not in text


HINTS = (
    "If `values` is lost too, mend that first.",
    "If another part is lost, mend that first: it needs them all. Then print the rows.",
    "If the others are won, look at the rows.",
    "Look at the keys.",
)


@pytest.mark.parametrize(
    "hints, lost, shown",
    [
        (HINTS[:1] + HINTS[3:], ["mask"], ("Look at the keys.",)),
        (HINTS[:1] + HINTS[3:], ["mask", "values"], HINTS[:1] + HINTS[3:]),
        (HINTS[1:2], ["mask"], ("Then print the rows.",)),
        (HINTS[2:], ["mask"], ("Look at the rows.", "Look at the keys.")),
        (HINTS[2:], ["mask", "values"], ("Look at the keys.",)),
        (
            ("If another part is lost, mend that first.", "If not: is it cut off?"),
            ["mask"],
            ("Is it cut off?",),
        ),
        (("If a is b, which is c?",), ["mask"], ("If a is b, which is c?",)),
    ],
)
def test_a_hint_sends_nobody_to_a_part_that_is_won(sample_exam: Exam, hints, lost, shown) -> None:
    question = sample_exam.questions["01.1"]
    values, mask = question.parts
    question = dataclasses.replace(question, parts=(values, dataclasses.replace(mask, hints=hints)))
    assert hints_for(question, "mask", lost) == shown
