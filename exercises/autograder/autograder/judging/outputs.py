"""Whether the outputs of one case are right: equal to the expected ones, with the properties of a part."""

from typing import Any

from autograder.authoring.spec import compiled
from autograder.judging import causes
from autograder.judging.compare import entries, equal
from autograder.judging.conceal import Concealed
from autograder.judging.differences import difference
from autograder.judging.exam import Case, ExamPart
from autograder.judging.wording import clip

MAX_REPORTED = 100_000
MAX_TOLD = 600


def wrong_output(part: ExamPart, case: Case, outputs: dict[str, Any]) -> str:
    """The name of the first output of one case that is not the expected one; nothing if all are."""
    for name, expected in case.expected.items():
        if name not in outputs:
            return name
        if isinstance(expected, Concealed):
            if not expected.equals(outputs[name]):
                return name
        elif not equal(expected, outputs[name], rtol=part.rtol, atol=part.atol):
            return name
    return ""


def output_text(part: ExamPart, case: Case, outputs: dict[str, Any], name: str) -> str:
    """How an output differs from the expected one first, in words."""
    if name not in outputs:
        return f"the output {name!r} is missing"
    expected = case.expected[name]
    if isinstance(expected, Concealed):
        return f"{name} {expected.remark(outputs[name])}"
    return difference(expected, outputs[name], rtol=part.rtol, atol=part.atol, name=name)


def misbehavior(part: ExamPart, case: Case, outputs: dict[str, Any], changed: list[str]) -> str:
    """What is wrong in one case beside the outputs that are compared, in words."""
    if changed and not part.may_change_inputs:
        return f"your code changes its input {changed[0]} in place; the caller's data must stay as they are"
    inputs = case.plain_inputs()
    if part.properties and entries(outputs) > MAX_REPORTED:
        return f"the reported values are more than {MAX_REPORTED:,} numbers"
    for source in part.properties:
        try:
            told = compiled(source)(inputs, outputs)
        except Exception:  # the outputs may be of any form; a property is written for the right one
            told = causes.form(part.description, case.expected, outputs)
        if told is not None:
            return clip(told, MAX_TOLD).rstrip(".")
    return ""
