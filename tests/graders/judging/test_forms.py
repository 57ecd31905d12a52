"""A right function stays right in another form: as an object, with results of other kinds, with habits."""

import ast
import re
from pathlib import Path

import grader_cases
import pytest
from autograder.authoring.folders import load_questions
from autograder.authoring.source import read_source
from autograder.authoring.spec import Question
from autograder.judging.evaluate import evaluate
from autograder.worker.session import Session
from grader_cases import FOLDERS, SAMPLE, by_lot, public_exam

MAPPED = """
def each(value, change):
    if isinstance(value, list | tuple):
        return tuple(each(item, change) for item in value)
    if isinstance(value, dict):
        return {name: each(item, change) for name, item in value.items()}
    if hasattr(value, "__next__"):
        return (each(item, change) for item in value)
    return change(value) if isinstance(value, torch.Tensor) else value

"""
RESULT = (
    MAPPED + "NAME = lambda *values, plain=NAME, **named: each(plain(*values, **named), lambda t: CHANGE)"
)
INPUTS = (
    MAPPED
    + "change = lambda t: CHANGE\n"
    + "NAME = lambda *values, plain=NAME, **named: plain(*each(values, change), **each(named, change))"
)
CALLED = (
    "class Called(BASE):\n"
    "    def METHOD(self, *values, **named): return self.f(*values, **named)\n"
    "wrapped = Called()\n"
)

KEEPING_GRADIENTS = {
    "an object": CALLED.replace("BASE", "").replace("METHOD", "__call__")
    + "wrapped.f = NAME\nNAME = wrapped",
    "a module": CALLED.replace("BASE", "torch.nn.Module").replace("METHOD", "forward")
    + "wrapped.f = NAME\nNAME = wrapped",
    "functools.partial": "import functools\nNAME = functools.partial(NAME)",
    "strides": RESULT.replace("CHANGE", "torch.stack([t, t], -1)[..., 0]"),
    "axes stored backwards": RESULT.replace(
        "CHANGE", "t.permute([*reversed(range(t.ndim))]).contiguous().permute([*reversed(range(t.ndim))])"
    ),
    "float64 inside": INPUTS.replace("CHANGE", "t.double() if t.is_floating_point() else t"),
    "a tensor subclass": "class Mine(torch.Tensor): pass\n" + RESULT.replace("CHANGE", "t.as_subclass(Mine)"),
    "an expanded result": RESULT.replace("CHANGE", "t.unsqueeze(0).expand(3, *t.shape)[1]"),
    "prints and plots": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nprint(NAME)\n%time\n",
    "a main guard and a test": "if __name__ == '__main__':\n    assert callable(NAME)",
    "its own check": "from autograder import check\ncheck('01.1')",
}
CUTTING_GRADIENTS = {
    "no_grad": "NAME = torch.no_grad()(NAME)",
    "inference_mode": "NAME = torch.inference_mode()(NAME)",
    "a parameter": RESULT.replace("CHANGE", "torch.nn.Parameter(t, requires_grad=t.is_floating_point())"),
    "lists": RESULT.replace("CHANGE", "t.tolist()"),
    "NumPy": RESULT.replace("CHANGE", "t.detach().numpy()"),
}
# a copy of all parameters at each step is what a question on the cost of a step forbids
COPYING_INPUTS = ("float64 inside",)


def forms_of(question: Question, solution: str) -> dict[str, str]:
    uses_gradients = any("backward" in part.program.__code__.co_names for part in question.parts)
    uses_gradients |= ".backward()" in solution  # an answer that trains a model goes backward itself
    forms = KEEPING_GRADIENTS | ({} if uses_gradients else CUTTING_GRADIENTS)
    counts_cost = any(part.name == "cost" for part in question.parts)
    return {form: text for form, text in forms.items() if not (counts_cost and form in COPYING_INPUTS)}


def asked_functions(question: Question, solution: str) -> list[str]:
    """The functions that the question asks for, without those that serve another function of the answer."""
    uses = {
        function.name: {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        for function in ast.parse(solution).body
        if isinstance(function, ast.FunctionDef)
    }
    return [name for name in question.reference if not any(name in names for names in uses.values())]


IMPLEMENTED = [
    pytest.param(folder, question, form, id=f"{folder.name}-{question.id}-{form}")
    for folder in FOLDERS
    for question in load_questions(folder)
    if question.kind == "implement"
    for form in forms_of(question, read_source(folder / "exercise.md").solutions[question.id])
]


@pytest.mark.slow
@pytest.mark.parametrize("folder, question, form", by_lot(IMPLEMENTED))
def test_a_right_function_in_another_form_gets_full_marks(
    folder: Path, question: Question, form: str, session: Session
) -> None:
    source = read_source(folder / "exercise.md")
    exam = public_exam(folder)
    solution = source.solutions[question.id]
    text = forms_of(question, solution)[form]
    names = asked_functions(question, solution)
    assert names
    answer = "\n".join([solution, *(re.sub("NAME", name, text) for name in names)])
    result = evaluate(exam, question.id, source.setup, {**source.solutions, question.id: answer}, session)
    assert (result.points, result.status) == (result.max_points, "ok"), result.feedback


def test_the_forms_are_tried_on_the_course_and_the_sample() -> None:
    tried = {param.values[0] for param in by_lot(IMPLEMENTED)}
    assert SAMPLE in tried
    assert len(tried) >= 4
    assert {param.values[2] for param in by_lot(IMPLEMENTED)} == {*KEEPING_GRADIENTS, *CUTTING_GRADIENTS}


def test_what_is_tried_by_lot_changes_with_the_certificates_and_is_all_in_a_soak(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SOAK", raising=False)
    tried = set()
    for now in map(str, range(40)):
        monkeypatch.setattr(grader_cases, "certified_digest", lambda *question, now=now: now)
        part = by_lot(IMPLEMENTED)
        assert len(part) < len(IMPLEMENTED) / 2
        tried |= {param.id for param in part}
    assert tried == {param.id for param in IMPLEMENTED}
    monkeypatch.setenv("SOAK", "1")
    assert by_lot(IMPLEMENTED) == IMPLEMENTED
