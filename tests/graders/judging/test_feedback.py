"""What a student reads of errors, of arguments and returns, and of questions that build on others."""

import dataclasses

import numpy as np
import pytest
from autograder.authoring.source import Source
from autograder.authoring.spec import Part, Question
from autograder.judging.differences import difference
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam, draw_part, signature
from autograder.judging.results import Result
from autograder.judging.wording import case_text, changed_arguments, error_text, kept_between_calls
from autograder.worker.messages import Error
from autograder.worker.session import Session

SIGNATURE = "def attention(query, key, value, mask):\n    raise NotImplementedError"


@pytest.fixture
def told(sample_exam: Exam, sample_source: Source, session: Session):
    def told(question: str, answer: str, **others: str) -> Result:
        answers = {**sample_source.solutions, **others, question: f"# question {question}\n{answer}"}
        return evaluate(sample_exam, question, sample_source.setup, answers, session)

    return told


def raised(kind: str, message: str, cell: str = "", line: int | None = None) -> Error:
    return Error(kind, kind, message, cell, line)


@pytest.mark.parametrize(
    "error, text",
    [
        (
            raised("TypeError", "cannot unpack non-iterable NoneType object"),
            "cannot be used as the question asks; is a return missing? (TypeError",
        ),
        (
            raised("RuntimeError", "element 0 of tensors does not require grad and does not have a grad_fn"),
            "gradients are asked for, and none flow through your answer",
        ),
        (
            raised("TypeError", "attention() takes 3 positional arguments but 4 were given"),
            "it is called with the arguments that the question's cell gives it",
        ),
        (
            raised("TypeError", "float() argument must be a string or a real number, not 'NoneType'"),
            "cannot be used as the question asks; is a return missing? (TypeError",
        ),
        (raised("TypeError", "'int' object is not callable"), "asks for a function of that name"),
        (
            raised("AttributeError", "'list' object has no attribute 'square'"),
            "what your cell defines or returns cannot be used as the question asks (AttributeError: 'list'",
        ),
        (
            raised("IndexError", "index 5", "question 01.1", 2),
            "index 5, in line 2 of the cell '# question 01.1': y = x",
        ),
        (
            raised("NameError", "name 'model' is not defined", "question 01.1", 2),
            "what they use must be in them",
        ),
    ],
)
def test_an_error_says_where_it_comes_from(error: Error, text: str) -> None:
    assert text in error_text(error, {"question 01.1": "# question 01.1\ny = x"})


def test_a_case_is_described_by_shapes_and_numbers() -> None:
    inputs = {
        "tokens": np.zeros((2, 3)),
        "lengths": np.zeros(4),
        "documents": [np.zeros(2), np.zeros((3, 1))],
        "bandwidth": 0.6309827,
        "t": 3,
        "token": None,
        "scale": np.array(2.5),
    }
    assert case_text(inputs, 1, 3) == (
        "case 2 of 3 (tokens 2x3, lengths of 4, documents a list of 2: of 2; 3x1, "
        "bandwidth 0.631, t 3, token None, scale 2.5): "
    )


@pytest.mark.parametrize(
    "answer",
    [
        "def attention(q, k, v, m): pass",
        "def attention(query, key, value, mask, dropout=0.0): pass",
        "def attention(*tensors): pass",
        "def attention(query: 'a b', key, value, mask=None) -> 'a': pass",
        "attention = lambda query, key, value: 1",
        "def attention(query:",
    ],
)
def test_arguments_with_other_names_or_more_of_them_are_fine(answer: str) -> None:
    assert changed_arguments(SIGNATURE, answer) == ""


@pytest.mark.parametrize(
    "answer, given",
    [
        ("def attention(key, query, value, mask): pass", "(key, query, value, mask)"),
        ("def attention(query, key, value): pass", "(query, key, value)"),
        ("def attention(query, key, value, mask, scale): pass", "(query, key, value, mask, scale)"),
    ],
)
def test_arguments_in_another_order_or_number_are_named(answer: str, given: str) -> None:
    asked = "(query, key, value, mask)"
    assert changed_arguments(SIGNATURE, answer) == (
        f"Your attention{given} should take these arguments, in this order: {asked}."
    )


def test_methods_are_compared_too() -> None:
    stub = "class Head:\n    def forward(self, x, mask=None): ..."
    assert "Head.forward(self, x)" in changed_arguments(stub, "class Head:\n    def forward(self, x): ...")


def test_an_operation_that_torch_has_not_is_an_error_not_an_empty_answer(told) -> None:
    result = told("01.1", "def attention(query, key, value, mask):\n    return query.long().softmax(-1)")
    assert result.status == "crashed"
    assert "not implemented for 'Long'" in result.feedback


def test_what_is_wrong_everywhere_is_said_once(told) -> None:
    result = told("01.1", "def attention(query, key, value, mask):\n    return missing")
    assert result.feedback.count("NameError: name 'missing' is not defined") == 1
    assert result.parts[1].message == "The same as in 'values'."
    assert result.points == 0


def test_swapped_arguments_are_told_before_their_consequences(told) -> None:
    result = told("01.1", "def attention(key, query, value, mask):\n    return query @ key.mT @ value")
    assert result.message.startswith("Your attention(key, query, value, mask) should take")


def test_a_part_counts_with_the_parts_that_it_requires(
    sample_exam: Exam, sample_source: Source, session: Session
) -> None:
    question = sample_exam.questions["01.1"]
    values, mask = question.parts
    required = dataclasses.replace(question, parts=(mask, dataclasses.replace(values, requires=("mask",))))
    exam = dataclasses.replace(sample_exam, questions={**sample_exam.questions, "01.1": required})
    no_rows = sample_source.solutions["01.1"] + "\n_attention = attention\n"
    no_rows += "attention = lambda q, k, v, mask: _attention(q, k, v, mask) + ~mask.any(1)[:, None]"
    right, wrong = (
        evaluate(exam, "01.1", sample_source.setup, {"01.1": answer}, session)
        for answer in (sample_source.solutions["01.1"], no_rows)
    )
    assert right.points == right.max_points
    assert [part.points for part in wrong.parts] == [0, 0]
    assert wrong.parts[1].message == "It earns its points together with 'mask'."


def test_a_part_of_an_experiment_can_conceal_what_is_expected() -> None:
    part = Part("loss", 1, "the loss", reads=("loss",), conceal=True, digits=4)
    question = Question("01.1", "t", "experiment", 1, 1, (part,), {"loss": 1.9983}, hints=("h",))
    (case,) = draw_part(question, 0, np.random.default_rng(0), "salt").cases
    assert case.packed is None
    assert case.expected["loss"].equals(1.998) and not case.expected["loss"].equals(2.0)


def test_a_printed_answer_is_missed_and_shown(told) -> None:
    result = told("01.1", "def attention(query, key, value, mask):\n    print('the weights')")
    assert "output should be a tensor, not None (is a return missing?)" in result.parts[0].message
    assert "the weights" in result.printed


def test_a_value_left_open_is_not_answered_and_the_others_count(told) -> None:
    result = told("01.4", "def measure():\n    return {'share': ..., 'ratio': ...}")
    assert result.status == "empty"


MEASURES = """def measure():
    value = torch.eye(4)[None]
    query = torch.zeros(1, 1, 4)
    mask = torch.ones(1, 4, dtype=torch.bool)
    return {"share": attention(query, value, value, mask)[0, 0, 0], "ratio": 3.0}
"""
NO_SCALE = "# question 01.1\ndef attention(query, key, value, mask):\n    return 0 * value[:, :1]"
ANY_MEASURE = "def measure():\n    return {'share': 0.2, 'ratio': 3.0}"


def test_the_question_that_an_answer_uses_is_named_if_it_is_wrong(told) -> None:
    wrong = told("01.4", MEASURES, **{"01.1": NO_SCALE})
    assert wrong.message == (
        "It uses your attention of question 01.1, which has 0 of 3 points: look there first."
    )
    assert "01.1" not in told("01.4", MEASURES).feedback, "right"
    assert "01.1" not in told("01.4", ANY_MEASURE, **{"01.1": NO_SCALE}).feedback, "not used"
    own = "def attention(*given):\n    return 0\n\n" + MEASURES.replace("[0, 0, 0]", "")
    assert "01.1" not in told("01.4", own, **{"01.1": NO_SCALE}).feedback, "an attention of its own"


def test_a_question_that_is_used_is_graded_once_and_only_if_it_matters(
    sample_exam: Exam, sample_source: Source, session: Session
) -> None:
    answers = {**sample_source.solutions, "01.1": NO_SCALE, "01.4": f"# question 01.4\n{MEASURES}"}
    known: dict[str, Result] = {}
    evaluate(sample_exam, "01.4", sample_source.setup, answers, session, known)
    assert list(known) == ["01.1"]
    known["01.1"] = dataclasses.replace(known["01.1"], title="as known")
    evaluate(sample_exam, "01.4", sample_source.setup, answers, session, known)
    assert known["01.1"].title == "as known"
    unused: dict[str, Result] = {}
    evaluate(sample_exam, "01.4", sample_source.setup, sample_source.solutions, session, unused)
    assert unused == {}


@pytest.mark.parametrize(
    "broken", ["1 / 0", "import sys\nsys.exit()", "def attention(:", "x = y = undefined"]
)
def test_a_question_that_does_not_use_a_broken_one_does_not_fall_with_it(told, broken: str) -> None:
    alone = "def measure():\n    return {'share': 0.25, 'ratio': 4.0}"
    result = told("01.4", alone, **{"01.1": f"# question 01.1\n{broken}"})
    assert (result.points, result.status) == (2, "ok"), result.feedback


def test_a_name_that_another_question_should_define_is_asked_for_there(told, sample_source: Source) -> None:
    result = told("01.4", MEASURES, **{"01.1": "# question 01.1\n1 / 0"})
    assert result.status == "crashed"
    assert "NameError: name 'attention' is not defined" in result.feedback
    assert (
        "question 01.1 should define attention, and its cell stopped with ZeroDivisionError: division by "
        "zero, in line 2 of the cell '# question 01.1': 1 / 0" in result.feedback
    )
    assert "It uses your attention of question 01.1, which has 0 of 3 points" in result.message
    unanswered = "# question 01.1\nraise NotImplementedError('question 01.1 is not answered yet')"
    result = told("01.4", MEASURES, **{"01.1": unanswered})
    assert result.points == 0 and "01.1" in result.feedback
    result = told("01.1", "def attention(query, key, value, mask):\n    return attend(query)")
    assert "check runs the cells marked" in result.feedback, "no other question defines this name"


def test_what_the_answer_itself_does_wrong_at_top_level_still_stops_it(told) -> None:
    result = told("01.4", "1 / 0\n" + ANY_MEASURE)
    assert result.status == "crashed" and "ZeroDivisionError" in result.feedback


def test_a_mistake_that_a_property_sees_is_recognized_by_all_outputs(sample_exam: Exam) -> None:
    part = sample_exam.questions["01.4"].parts[0]
    outputs = [{"share": 0.25, "ratio": 4.0, "other": other} for other in (1.0, 2.0)]
    one, other = (signature(part, part.cases[0], found, []) for found in outputs)
    assert not one.matches(other, part.rtol, part.atol)
    plain = dataclasses.replace(part, properties=())
    one, other = (signature(plain, plain.cases[0], found, []) for found in outputs)
    assert one.matches(other, plain.rtol, plain.atol)


CACHE = "kept = {}\ndef f(x):\n    "
KEEPING = {
    "a dict": (CACHE + "kept[len(x)] = x\n    return kept[len(x)]", 3),
    "setdefault": (CACHE + "return kept.setdefault(len(x), x)", 3),
    "by another name": (CACHE + "k, n = kept, 2\n    k[n] = x", 4),
    "a default": ("def f(x, seen=[]):\n    seen.append(x)\n    return seen", 2),
    "a global name": ("last = None\ndef f(x):\n    global last\n    last = x\n    return x", 4),
    "a decorator": ("@functools.cache\ndef f(x):\n    return x", 1),
    "a module": (
        "class A:\n    def forward(self, x):\n        if not hasattr(self, 'm'):\n            self.m = x",
        4,
    ),
    "a class": ("class A:\n    seen = []\n    def forward(self, x):\n        self.seen.append(x)", 4),
}
FORGETTING = {
    "a constant": "SIZES = [1, 2]\ndef f(x):\n    return SIZES[0] * x",
    "its own list": "def f(x):\n    out = []\n    out.append(x)\n    return out",
    "its own dict": "out = {}\ndef f(x, out=None):\n    out = {}\n    return out",
    "an argument": "kept = {}\ndef f(x, kept):\n    kept['a'] = x",
    "a report": "def f(x):\n    return x\nreport = {}\nreport['a'] = f(1)",
    "parameters": "class A:\n    def __init__(self, n):\n        self.n = n",
    "what cannot be read": "kept = {}\ndef f(x:\n    kept[1] = x",
}


@pytest.mark.parametrize("answer, line", KEEPING.values(), ids=KEEPING)
def test_what_outlives_a_call_is_said_with_its_line(answer: str, line: int) -> None:
    assert f"from one call to the next (line {line}: " in kept_between_calls(answer)
    assert changed_arguments("def f(x): ...", answer) in (kept_between_calls(answer), "")


@pytest.mark.parametrize("answer", FORGETTING.values(), ids=FORGETTING)
def test_what_each_call_makes_anew_is_not_said_to_be_kept(answer: str) -> None:
    assert kept_between_calls(answer) == ""


def test_long_texts_are_shown_where_they_part() -> None:
    one, other = "[" + "0, " * 102 + "0]", "[" + "0, " * 99 + "0]"
    told = difference(one, other, rtol=0, atol=0, name="rows[0]")
    assert told.startswith("rows[0] should have 103 entries, not 100; it differs from its character 300 on")
    assert len(told) < 250
    text = "abc " * 40
    told = difference(text, text[:90] + "x" + text[91:], rtol=0, atol=0)
    assert told.startswith("the value differs from its character 91 on: expected '...") and "x" in told
    assert "should have 0 entries, not 100" in difference("[]", other, rtol=0, atol=0)
    assert "should have 1 entry, not 100" in difference("[7]", other, rtol=0, atol=0)
    assert difference("ab", "ac", rtol=0, atol=0) == "the value should be 'ab', not 'ac'"
