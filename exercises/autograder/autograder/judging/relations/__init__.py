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
from autograder.judging.compare import comparable, entries, equal, number, regular, sort_of
from autograder.judging.exam import ExamPart
from autograder.judging.relations.arrangements import ADDED, ARRANGED, LOGICAL
from autograder.judging.relations.evidence import SURE, agreement, entropy, is_whole
from autograder.judging.relations.numbers import COUNTED, NUMERIC, WEAK
from autograder.judging.relations.pairs import MAX_NUMBERS, Pair
from autograder.judging.relations.places import cases, places
from autograder.judging.slips import FAR, undone
from autograder.worker.session import Run

MAX_CASES = 24
CUT_OFF = (
    "It is 0 in all cases in which it should not be: something cuts it off, such as detach(), item(), "
    "torch.tensor(...), rounding or a comparison"
)


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
        if isinstance(wanted, Interval | str | dict) or wanted is None:
            return None
        expected, got = regular(wanted), comparable(wanted, self.outputs.get(name))
        if isinstance(wanted, list | tuple) and (expected is None or expected.dtype.kind != "f"):
            return None
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
        if name.startswith("gradient") and _is_cut_off(outcomes, name):
            told.insert(0, CUT_OFF)
    if name and isinstance(outcomes[first].expected[name], Interval):
        told.append(_measured(outcomes[first]))
    numbers = [_numbers(outcome) for outcome in outcomes]
    told.append(cases([outcome.inputs for outcome in outcomes], [not one for one in won], numbers))
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


def _is_cut_off(outcomes: Sequence[Outcome], name: str) -> bool:
    """Whether a gradient is zero in all cases in which it should not be, and in two at least."""
    pairs = [outcome.pair(name) for outcome in outcomes if outcome.outputs and name in outcome.expected]
    asked = [pair for pair in pairs if pair is not None and pair.e.any()]
    return len(asked) > 1 and not any(pair.g.any() for pair in asked)


def _numbers(outcome: Outcome) -> tuple[int, int]:
    """How many numbers a case has, and how many are wrong; all where they cannot be compared."""
    size, wrong = 0, 0
    for name, expected in outcome.expected.items():
        pair = outcome.pair(name)
        size += pair.wrong.size if pair is not None else entries(expected)
        if pair is not None:
            wrong += int(pair.wrong.sum())
        elif not outcome.right(name):
            wrong += entries(expected)
    return size, wrong


def _relation(pairs: Sequence[Pair]) -> str:
    """The first relation that holds in all pairs."""
    logical = pairs[0].expected.dtype.kind == "b"
    if not all(np.isfinite(p.g[p.wrong]).all() and np.isfinite(p.e[p.wrong]).all() for p in pairs):
        return ""
    if not logical and agreement(pairs) < SURE:
        return ""
    finite = all(np.isfinite(p.g).all() and np.isfinite(p.e).all() for p in pairs)
    numeric, weak = (COUNTED, WEAK) if is_whole(pairs) else ((*NUMERIC, *(ADDED if finite else ())), WEAK)
    tried = LOGICAL if logical else (*numeric, *(ARRANGED if finite else ()), *weak)
    return next((told for one in tried if (told := one(pairs))), "")


def _measured(outcome: Outcome) -> str:
    """What is wrong with several reported numbers together: their order, a slip, and which are outside."""
    asked = {name: one for name, one in outcome.expected.items() if isinstance(one, Interval)}
    given = {name: number(outcome.outputs.get(name)) for name in asked}
    values = {name: value for name, value in given.items() if value is not None and np.isfinite(value)}
    outside = [name for name in asked if not outcome.right(name)]
    if len(values) < len(asked):
        return ""

    def fit(changed: Mapping[str, float]) -> bool:
        return all(asked[name].low <= value <= asked[name].high for name, value in changed.items())

    if len(outside) > 1 and fit(dict(zip(asked, reversed(values.values())))):
        return "In the reverse order the numbers would all be inside"
    if len(outside) == 2 and fit(dict(zip(outside, [values[name] for name in reversed(outside)]))):
        return f"Exchanged, {outside[0]} and {outside[1]} would both be inside"
    # into an interval that begins near zero a hundredth of anything falls
    intervals = [asked[name] for name in outside]
    telling = all(3 * (one.high - one.low) < 2 * abs(one.high + one.low) for one in intervals)
    explained = [
        {
            told
            for told, value in undone(values[name])
            if telling and fit({name: value}) and (outside[1:] or told in FAR)
        }
        for name in outside
    ]
    common = set.intersection(*explained)
    if len(common) == 1:
        return f"This would explain it: {next(iter(common))}"
    return f"Outside as well: {', '.join(outside[1:])}" if outside[1:] else ""


def _exchanged(failed: Sequence[Outcome], name: str) -> str:
    """An output that is what another one should be."""
    common = [
        other for other in failed[0].expected if other != name and all(other in o.expected for o in failed)
    ]
    for other in common:
        if all(
            equal(o.expected[other], o.outputs[name], rtol=o.rtol, atol=o.atol)
            and not equal(o.expected[other], o.expected[name], rtol=o.rtol, atol=o.atol)
            for o in failed
        ) and _is_no_chance([regular(o.expected[other]) for o in failed]):
            return f"It is what {other} should be"
    return ""


def _is_no_chance(arrays: Sequence[np.ndarray | None]) -> bool:
    """Whether other outputs are not equal to these by accident: they have numbers enough."""
    found = [array.astype(np.float64) for array in arrays if array is not None and array.dtype.kind in "biuf"]
    return bool(found) and entropy(*found) * sum(a.size for a in found) >= SURE
