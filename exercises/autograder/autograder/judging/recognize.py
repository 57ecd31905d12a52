"""Which named mistakes of the bank an answer equals, as a whole or in one part, and what may be said."""

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from autograder.judging.compare import Fingerprint, regular
from autograder.judging.exam import Concealing, ExamPart, ExamQuestion, Mistake, signature
from autograder.judging.relations import Outcome, outcomes_of
from autograder.worker.session import Run

VALUE, VALUES = "The value is that of", "On these inputs the values are those of"
TELLING = 4
TELLING_FRACTIONS = 2


@dataclass(frozen=True)
class Recognized:
    """The named mistakes that an answer equals as a whole, or what is said of single parts.

    It is ``sure`` that a whole answer is its mistake unless it differs in NaN, zeros or small counts alone.
    """

    mistakes: tuple[tuple[str, str], ...] = ()
    parts: dict[str, str] = field(default_factory=dict)
    sure: bool = False


def recognize(question: ExamQuestion, run: Run, lost: set[str]) -> Recognized:
    """The named mistakes that the answer equals in every case of every part, in the bank's order.

    If there is none, a lost part says of which mistake its values are, where that is no guess: of one mistake
    alone, on values that could tell, and if the mistakes that are said account for all that is lost. What is
    concealed stands for itself. A part that is lost with one that it requires is not looked at: it reports
    what the student measured, at a seed that the student chose.
    """
    unjudged = {part.name for part in question.parts if part.name in lost and lost & set(part.requires)}
    judged = lost - unjudged
    names, prints = [part.name for part in question.parts], _Fingerprints(question, run)
    same = {
        m.name: {name for p, name in enumerate(names) if _equals(question, p, run, m, prints)}
        for m in question.mistakes
    }
    full = [m for m in question.mistakes if set(m.loses) == lost and same[m.name] | unjudged == set(names)]
    if full:
        parts = [(part, p) for p, part in enumerate(question.parts) if part.name in judged]
        telling = (_is_telling(part, outcomes_of(part, run, p)) for part, p in parts)
        sure = any(telling)
        guess = "" if sure else "what other mistakes give too, such as "
        return Recognized(tuple((m.name, guess + m.explanation) for m in full), sure=sure)
    named: dict[str, Mistake] = {}
    for p, name in enumerate(names):
        fitting = [m for m in question.mistakes if name in judged & same[m.name] & set(m.loses)]
        if len(fitting) == 1 and _may_be_said(question, p, run, fitting[0], lost):
            named[name] = fitting[0]
    if question.kind != "derive" and not _accounts_for(judged, named):
        return Recognized()
    return Recognized(
        parts={
            part.name: f"{VALUE if part.is_concealed else VALUES} {named[part.name].explanation}."
            for part in question.parts
            if part.name in named
        }
    )


def _accounts_for(lost: set[str], named: dict[str, Mistake]) -> bool:
    """Whether each lost part equals a mistake that is said, or several of them meet there."""
    several = Counter(
        name for mistake in {m.name: m for m in named.values()}.values() for name in mistake.loses
    )
    return all(name in named or several[name] > 1 for name in lost)


def _may_be_said(question: ExamQuestion, p: int, run: Run, mistake: Mistake, lost: set[str]) -> bool:
    """Whether a mistake that one part equals can be in the answer, and the part's values could tell."""
    part = question.parts[p]
    if part.is_concealed:
        return True
    return set(mistake.loses) <= lost and _is_telling(part, outcomes_of(part, run, p))


def _is_telling(part: ExamPart, outcomes: list[Outcome]) -> bool:
    """Whether the wrong values are numbers enough of different size: no zeros, NaN, counts or shapes.

    A concealed value stands for itself.
    """
    if part.is_concealed:
        return True
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


class _Fingerprints:
    """Those of an answer's outputs, each made once, however many mistakes it is compared with."""

    def __init__(self, question: ExamQuestion, run: Run):
        self._question, self._run = question, run
        self._made: dict[tuple[int, int], Fingerprint] = {}

    def of(self, p: int, c: int) -> Fingerprint:
        """That of the outputs in one case of one part."""
        if (p, c) not in self._made:
            part, answer = self._question.parts[p], self._run.cases[p, c]
            self._made[p, c] = signature(part, part.cases[c], answer.outputs, answer.changed)
        return self._made[p, c]


def _equals(question: ExamQuestion, p: int, run: Run, mistake: Mistake, prints: _Fingerprints) -> bool:
    """Whether every case of one part gives the same outputs as the mistake."""
    part = question.parts[p]
    for c, stored in enumerate(mistake.signatures[part.name]):
        answer = run.cases.get((p, c))
        if answer is None or answer.error is not None:
            return False
        if isinstance(stored, Concealing):
            given: dict[str, Any] = answer.outputs
            if not all(n in given and hidden.equals(given[n]) for n, hidden in stored.concealed.items()):
                return False
        elif not isinstance(stored, Fingerprint):
            raise TypeError(stored)
        elif not stored.matches(prints.of(p, c), part.rtol, part.atol):
            return False
    return True
