"""What a wrong answer's outputs have to do with the right ones, where no named mistake says it.

``remarks`` is tried after a part is lost, on all of its cases. It says only what holds in every case in
which the output is wrong, on enough numbers for it not to be chance, and only of the numbers, never of the
program. It has no part in the verdict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.authoring.spec import Interval
from autograder.judging.compare import comparable, equal, number, regular, sort_of
from autograder.judging.exam import ExamPart
from autograder.judging.relations.arrangements import ARRANGED, LOGICAL
from autograder.judging.relations.numbers import NUMERIC, WEAK
from autograder.judging.relations.pairs import MAX_NUMBERS, Pair
from autograder.judging.relations.places import cases, places
from autograder.judging.slips import undone
from autograder.worker.session import Run

MAX_CASES = 24
NARROW = 0.1


@dataclass(frozen=True)
class Outcome:
    """One case: its inputs, what is expected of it, and what came."""

    inputs: Mapping[str, Any]
    expected: Mapping[str, Any]
    outputs: Mapping[str, Any]
    rtol: float
    atol: float

    def right(self, name: str) -> bool:
        """Whether an output is what is expected."""
        wanted = self.expected[name]
        return name in self.outputs and equal(wanted, self.outputs[name], rtol=self.rtol, atol=self.atol)

    def pair(self, name: str) -> Pair | None:
        """An output beside the expected one; None where they cannot be compared number by number."""
        wanted = self.expected.get(name)
        if isinstance(wanted, Interval | str | dict | list | tuple) or wanted is None:
            return None
        expected, got = regular(wanted), comparable(wanted, self.outputs.get(name))
        if expected is None or got is None or got.shape != expected.shape or not 0 < got.size <= MAX_NUMBERS:
            return None
        if sort_of(expected) != sort_of(got) or expected.dtype.kind not in "biuf":
            return None
        return Pair(dict(self.inputs), expected, got, self.rtol, self.atol)


def outcomes_of(part: ExamPart, run: Run, p: int) -> list[Outcome]:
    """The cases of part ``p`` as they came out; one that gave an error has no outputs."""
    replies = [run.cases.get((p, c)) for c in range(len(part.cases))]
    return [
        Outcome(case.plain_inputs(), case.expected, reply.outputs if reply else {}, part.rtol, part.atol)
        for case, reply in zip(part.cases, replies, strict=True)
    ]


def remarks(outcomes: Sequence[Outcome], won: Sequence[bool], first: int) -> str:
    """Sentences on a lost part, of which the first wrong output of its case ``first`` is the subject, if any.

    ``won`` says which cases are right in all respects.
    """
    if len(outcomes) > MAX_CASES:
        return ""
    names = list(outcomes[first].expected)
    name = next((n for n in names if outcomes[first].outputs and not outcomes[first].right(n)), "")
    failed = [o for o in outcomes if o.outputs and name in o.expected and not o.right(name)]
    found = [outcome.pair(name) for outcome in failed]
    told = []
    if found and all(pair is not None for pair in found):
        pairs = [pair for pair in found if pair is not None]
        with np.errstate(all="ignore"):
            told = [_exchanged(failed, name) or _relation(pairs), places(pairs)]
    if name and isinstance(outcomes[first].expected[name], Interval):
        told.append(_slip(outcomes))
    told.append(cases([outcome.inputs for outcome in outcomes], [not one for one in won]))
    others = [
        other for other in names if other != name and not isinstance(outcomes[first].expected[other], list)
    ]
    if (
        name
        and others
        and all(o.right(other) for o in outcomes if o.outputs for other in others if other in o.expected)
    ):
        told.append(f"Only {name!r} is wrong, not {' or '.join(map(repr, others[:3]))}")
    return " ".join(f"{sentence}." for sentence in told if sentence)


def _relation(pairs: Sequence[Pair]) -> str:
    """The first relation that holds in all pairs."""
    logical = pairs[0].expected.dtype.kind == "b"
    if not all(np.isfinite(p.g[p.wrong]).all() and np.isfinite(p.e[p.wrong]).all() for p in pairs):
        return ""
    finite = all(np.isfinite(p.g).all() and np.isfinite(p.e).all() for p in pairs)
    tried = LOGICAL if logical else (*NUMERIC, *(ARRANGED if finite else ()), *WEAK)
    return next((told for one in tried if (told := one(pairs))), "")


def _slip(outcomes: Sequence[Outcome]) -> str:
    """One slip without which all reported numbers would be inside, unless there is one in a wide interval."""
    outside = [
        (o.expected[name], number(o.outputs.get(name)))
        for o in outcomes
        for name in o.expected
        if isinstance(o.expected[name], Interval) and not o.right(name)
    ]
    if any(value is None or not np.isfinite(value) for _, value in outside):
        return ""
    if len(outside) == 1 and outside[0][0].high - outside[0][0].low > NARROW * abs(outside[0][0].high):
        return ""
    inside = [
        {told for told, value in undone(given) if interval.low <= value <= interval.high}
        for interval, given in outside
        if given is not None
    ]
    common = set.intersection(*inside)
    return f"This would explain it: {next(iter(common))}" if len(common) == 1 else ""


def _exchanged(failed: Sequence[Outcome], name: str) -> str:
    """An output that is what another one should be."""
    common = [
        other for other in failed[0].expected if other != name and all(other in o.expected for o in failed)
    ]
    for other in common:
        if all(
            equal(o.expected[other], o.outputs[name], rtol=o.rtol, atol=o.atol)
            and not equal(o.expected[other], o.expected[name], rtol=o.rtol, atol=o.atol)
            and getattr(regular(o.expected[other]), "size", 0) > 1
            for o in failed
        ):
            return f"It is what {other} should be"
    return ""
