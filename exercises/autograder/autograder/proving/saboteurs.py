"""Effects that turn any right answer into a wrong one: each that applies must lose points.

Mutants change the source of an answer; saboteurs change what its functions take and give, and so reach
mistakes that no small change of the source makes: a memory by shape, one row for all, a gradient cut off, an
answer that is wrong for one shape only. Where a question's text asks for less, the question says why in
``exempt``. Values that are typed in (zeros, NaN, infinities) are tried on every question that has some.
"""

import ast
import dataclasses
import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from autograder.authoring.source import Source, without_magics
from autograder.authoring.spec import Question
from autograder.judging.exam import Exam, chain
from autograder.proving.bench import Bench
from autograder.proving.docstrings import Target, targets
from autograder.proving.sabotage import APPLIES, EXTREMES, NUMERICS, PLACES, REACHED, WHEN

ON_CALLS = (*PLACES, "half precision", "the first of the batch for all", "squeezed", "remembers by shape")
ON_ARGUMENTS = ("ignorance", "change", "return", "no gradient")
OF_MODULES = ("no gradient to the parameters", "the first result of a module again")
ON_VALUES = ("below a thousandth is 0", "clipped at 10", "wrapped at 256")
ABOVE = "above 4 counts as 4"
SAME_SHAPES = "the same shapes at every seed"
# one exemption may be for several effects
GROUPS = {"extreme exponents": EXTREMES, "no gradient": ("no gradient",)}
FILLS = ("zeros", "ones", "nan")
TYPED = ("math.nan", "0", "0.0", "1", "-1.0", "math.inf", "-math.inf", "None", "True", "False", "'0'", "[]")


@dataclasses.dataclass(frozen=True)
class Saboteur:
    """One effect on one function or class of an answer."""

    target: Target
    effect: str

    def __str__(self) -> str:
        return f"{self.target.name}: {self.effect}"

    def spoil(self, answer: str) -> str:
        """The answer with this effect."""
        name = self.target.name
        called = f"{name}.forward" if self.target.is_class else name
        lines = [f"{called} = sabotaged({called}, {self.effect!r}, {self.target.axes!r})"]
        if self.target.options:
            lines.append(f"{name}.__init__ = noting({name}.__init__, {self.effect!r})")
        effects = "" if _effects() in answer else f"\n\n\n{_effects()}"
        return "\n".join([f"{answer}{effects}\n", *lines, ""])


@cache
def _effects() -> str:
    return (Path(__file__).parent / "sabotage.py").read_text(encoding="utf-8")


def saboteurs(stub: str) -> list[Saboteur]:
    """All effects on the functions and classes that a question asks for."""
    return [Saboteur(target, effect) for target in targets(stub) for effect in _effects_on(target)]


def _effects_on(target: Target) -> Iterator[str]:
    names = [argument.name for argument in target.arguments]
    yield from (*ON_CALLS, *NUMERICS, "no gradient", "no gradient beyond 30")
    if target.is_class:
        yield from OF_MODULES
    yield from (f"{word} of argument {name}" for word in ON_ARGUMENTS for name in names)
    yield from (f"{name} {how}" for name in names for how in ON_VALUES)
    yield from (f"{name} is 1" for name in target.sizes)
    yield from (f"{name} {ABOVE}" for name in target.whole)
    for one, other in itertools.combinations(target.sizes, 2):
        yield from (f"{one} and {other} agree", f"{one} and {other} differ")


@dataclasses.dataclass
class Sabotage:
    """What became of the saboteurs of one question."""

    caught: int = 0
    exempt: int = 0
    failures: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Trials:
    """Tries answers to one question, each once, and keeps whether they lose a part and what was reached."""

    question: str
    bench: Bench
    source: Source
    done: dict[str, tuple[str, set[str]]] = dataclasses.field(default_factory=dict)

    def grade(self, answer: str) -> tuple[str, set[str]]:
        """The first part that an answer loses, if any, and what the effect on it told."""
        if answer not in self.done:
            lost, names = self.bench.losses(answer, first=True)
            self.done[answer] = next(iter(lost), ""), set(names.get("_told", ()))
        return self.done[answer]


def typed_in(stub: str, value: str) -> str | None:
    """The stub with one value in place of each ``...``; None if it asks for no values."""
    spaces = [
        node
        for top in ast.parse(without_magics(stub)).body
        if isinstance(top, ast.Assign)
        for node in ast.walk(top)
        if isinstance(node, ast.Constant) and node.value is ...
    ]
    lines = stub.split("\n")
    for node in sorted(spaces, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + value + line[node.end_col_offset :]
    return "\n".join(lines) if spaces else None


def _exempted(question: Question, saboteur: Saboteur) -> str | None:
    """The declaration that lets a saboteur go, if there is one."""
    broad = saboteur.effect
    for when in WHEN:
        broad = broad.removeprefix(when)
    groups = [name for name, effects in GROUPS.items() if broad.startswith(effects)]
    groups += [how for how in ON_VALUES if broad.endswith(f" {how}")]
    names = [
        name
        for effect in (saboteur.effect, broad, *groups)
        for name in (f"{saboteur.target.name}: {effect}", effect)
    ]
    return next((name for name in names if name in question.exempt), None)


def _attempts(trials: Trials, right: list[str]) -> Iterator[tuple[Saboteur, str]]:
    """Every effect on the solution; those of numerics on each right answer that uses such functions.

    Where calls with a mask and calls without one occur, extremes have to be caught in both.
    """
    solution = trials.source.solutions[trials.question]
    for saboteur in saboteurs(trials.source.stubs[trials.question]):
        if saboteur.effect not in NUMERICS:
            yield saboteur, solution
            continue
        for answer in (solution, *right):
            tried = [dataclasses.replace(saboteur, effect=when + saboteur.effect) for when in WHEN]
            applies = [APPLIES in trials.grade(one.spoil(answer))[1] for one in tried]
            both = all(applies) and saboteur.effect in EXTREMES
            yield from ((one, answer) for one in (tried if both else [saboteur][: any(applies)]))


def _typed(trials: Trials, found: Sabotage) -> None:
    """What has no information in it earns nothing, typed in or given by a function."""
    stub, solution = trials.source.stubs[trials.question], trials.source.solutions[trials.question]
    answers = {value: typed for value in TYPED if (typed := typed_in(stub, value)) is not None}
    for value in FILLS if (asked := list(targets(stub))) else ():
        answer = solution
        for target in asked:
            answer = Saboteur(target, f"only {value}").spoil(answer)
        answers[f"{value} as every result"] = answer
    for value, answer in answers.items():
        lost, _ = trials.bench.losses(answer)
        won = [part.name for part in trials.bench.parts if part.name not in lost]
        if not won:
            found.caught += 1
        else:
            found.failures.append(f"{trials.question}: {value} wins {', '.join(map(repr, won))}")


def _equal_answers(question: Question) -> list[str]:
    """Numbers of a derive question that are equal: a right number in a wrong place would be right."""
    known: dict[float, str] = {}
    twins = []
    for name, value in question.reference.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            other = known.setdefault(abs(float(value)), name)
            twins += [f"{question.id}: the answers {other} and {name} are equal"] if other != name else []
    return twins


def hunt_saboteurs(question: Question, source: Source, exam: Exam, right: list[str]) -> Sabotage:
    """Try every effect on the solution, and those of numerics on each of the ``right`` answers too."""
    found, needed = Sabotage(), set()
    before = [source.setup, *(source.solutions[q] for q in chain(exam.questions, question.id))]
    trials = Trials(question.id, Bench(exam.questions[question.id].parts, before), source)
    for saboteur, answer in _attempts(trials, right):
        lost, told = trials.grade(saboteur.spoil(answer))
        if APPLIES not in told:
            continue
        if lost:
            found.caught += 1
        elif name := _exempted(question, saboteur):
            needed.add(name)
            found.exempt += 1
        # another way to compute it may have no numbers that could be extreme
        elif answer == source.solutions[question.id] or REACHED in told:
            reached = "its inputs reach it" if REACHED in told else "no input reaches it"
            said = f"{question.id}, seed {exam.seed}: full marks with '{saboteur}' ({reached})"
            found.failures += [said] if said not in found.failures else []
    if question.kind == "derive" and (twins := _equal_answers(question)):
        needed.add("equal answers")
        found.failures += [] if "equal answers" in question.exempt else twins
    for name in sorted(set(question.exempt) - needed - {SAME_SHAPES}):
        found.failures.append(f"{question.id}: exempts {name!r}, which loses points or does not apply")
    _typed(trials, found)
    return found
