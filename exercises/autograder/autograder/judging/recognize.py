"""Which named mistakes of the bank an answer equals, as a whole or in one part, and what may be said."""

import dataclasses
import math
from collections import Counter
from typing import Any

from autograder.judging.compare import Fingerprint, Signature, regular
from autograder.judging.exam import Case, Concealing, ExamPart, ExamQuestion, Mistake, signature
from autograder.judging.relations import Outcome, outcomes_of
from autograder.judging.results import PartResult
from autograder.worker.session import Answer, Run

TELLING = 4
TELLING_FRACTIONS = 2


def recognize(
    question: ExamQuestion, run: Run, parts: tuple[PartResult, ...]
) -> tuple[tuple[PartResult, ...], tuple[tuple[str, str], ...]]:
    """The named mistakes that the answer equals in every case of every part, in the bank's order.

    Where it differs in NaN, zeros or small counts alone, it is said that other mistakes give the same.

    If there is none, a lost part says of which mistake its values are, where that is no guess: of one mistake
    alone, on values that could tell, and if the mistakes that are said account for all that is lost. The
    values of a *derive* question stand each for itself.
    """
    lost = {part.name for part in parts if part.points < part.max_points}
    same = {
        m.name: {p.name for i, p in enumerate(question.parts) if _equals(question, i, run, m)}
        for m in question.mistakes
    }
    full = [m for m in question.mistakes if set(m.loses) == lost and len(same[m.name]) == len(parts)]
    if full:
        sure = question.kind == "derive" or any(
            _is_telling(question.parts[p], outcomes_of(question.parts[p], run, p))
            for p, part in enumerate(parts)
            if part.name in lost
        )
        guess = "what other mistakes give too, such as "
        return parts, tuple((m.name, m.explanation if sure else f"{guess}{m.explanation}") for m in full)
    named: dict[str, Mistake] = {}
    for p, part in enumerate(question.parts):
        fitting = [m for m in question.mistakes if part.name in lost & same[m.name] & set(m.loses)]
        if len(fitting) == 1 and _may_be_said(question, p, run, fitting[0], lost):
            named[part.name] = fitting[0]
    if question.kind != "derive" and not _accounts_for(lost, named):
        named = {}
    told = "The value is that of" if question.kind == "derive" else "On these inputs the values are those of"
    return tuple(
        dataclasses.replace(part, message=f"{part.message} {told} {named[part.name].explanation}.")
        if part.name in named
        else part
        for part in parts
    ), ()


def _accounts_for(lost: set[str], named: dict[str, Mistake]) -> bool:
    """Whether each lost part equals a mistake that is said, or several of them meet there."""
    several = Counter(
        name for mistake in {m.name: m for m in named.values()}.values() for name in mistake.loses
    )
    return all(name in named or several[name] > 1 for name in lost)


def _may_be_said(question: ExamQuestion, p: int, run: Run, mistake: Mistake, lost: set[str]) -> bool:
    """Whether a mistake that one part equals can be in the answer, and the part's values could tell."""
    if question.kind == "derive":
        return True
    part = question.parts[p]
    return set(mistake.loses) <= lost and _is_telling(part, outcomes_of(part, run, p))


def _is_telling(part: ExamPart, outcomes: list[Outcome]) -> bool:
    """Whether the wrong values are numbers enough of different size: no zeros, NaN, counts or shapes."""
    values: set[float] = set()
    for outcome in outcomes:
        for name in outcome.outputs if part.properties else outcome.expected:
            if name not in outcome.expected or not outcome.right(name):
                pair, array = outcome.pair(name), regular(outcome.outputs.get(name))
                if array is not None and array.dtype.kind in "iuf":
                    wrong = array[pair.wrong] if pair is not None else array.ravel()
                    values |= {float(f"{value:.5g}") for value in wrong.tolist() if math.isfinite(value)}
    fractions = [value for value in values if value != int(value)]
    return len(fractions) >= TELLING_FRACTIONS or len(values) >= TELLING


def _equals(question: ExamQuestion, p: int, run: Run, mistake: Mistake) -> bool:
    """Whether every case of one part gives the same outputs as the mistake."""
    part = question.parts[p]
    for c, (case, stored) in enumerate(zip(part.cases, mistake.signatures[part.name], strict=True)):
        answer = run.cases.get((p, c))
        if answer is None or answer.error is not None or not _same(part, case, answer, stored):
            return False
    return True


def _same(part: ExamPart, case: Case, answer: Answer, stored: Signature) -> bool:
    if isinstance(stored, Concealing):
        given: dict[str, Any] = answer.outputs
        return all(name in given and hidden.equals(given[name]) for name, hidden in stored.concealed.items())
    if not isinstance(stored, Fingerprint):
        raise TypeError(stored)
    return stored.matches(signature(part, case, answer.outputs, answer.changed), part.rtol, part.atol)
