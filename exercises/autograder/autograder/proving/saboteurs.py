"""Effects that turn any right answer into a wrong one: each that applies must lose points.

Mutants change the source of an answer; saboteurs change what its functions take and give, and so reach
mistakes that no small change of the source makes: a memory by shape, one row for all, a gradient cut off, an
answer that is wrong for one shape only. Where a question's text asks for less, the question says why in
``exempt``. Values that are typed in (zeros, NaN, infinities) are tried on every question that has some.
"""

import ast
import dataclasses
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from autograder.authoring.source import Source, without_magics
from autograder.authoring.spec import Question
from autograder.judging.evaluate import judge, run_cells
from autograder.judging.exam import Exam, chain, solved_cells
from autograder.judging.results import Result
from autograder.proving.sabotage import APPLIES, EXTREMES, NUMERICS, PLACES, REACHED, WHEN
from autograder.worker.session import Session

ON_CALLS = (*PLACES, "half precision", "the first of the batch for all", "squeezed", "remembers by shape")
ON_ARGUMENTS = ("ignorance", "change", "return", "no gradient")
# one exemption may be for several effects
GROUPS = {"extreme exponents": EXTREMES, "no gradient": ("no gradient",)}
FILLS = ("zeros", "ones", "nan")
TYPED = ("math.nan", "0", "0.0", "1", "-1.0", "math.inf", "-math.inf", "None", "True", "False", "'0'", "[]")


@dataclasses.dataclass(frozen=True)
class Saboteur:
    """One effect on one function or class of an answer."""

    target: str
    effect: str
    is_class: bool = False

    def __str__(self) -> str:
        return f"{self.target}: {self.effect}"

    def spoil(self, answer: str) -> str:
        """The answer with this effect."""
        target = f"{self.target}.forward" if self.is_class else self.target
        effects = "" if _effects() in answer else f"\n\n\n{_effects()}"
        return f"{answer}{effects}\n\n{target} = sabotaged({target}, {self.effect!r})\n"


@cache
def _effects() -> str:
    return (Path(__file__).parent / "sabotage.py").read_text(encoding="utf-8")


def saboteurs(stub: str) -> list[Saboteur]:
    """All effects on the functions and classes that a question asks for."""
    found = []
    for node in ast.parse(without_magics(stub)).body:
        if isinstance(node, ast.FunctionDef):
            arguments = node.args
        elif isinstance(node, ast.ClassDef):
            methods = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "forward"]
            if not methods:
                continue
            arguments = methods[0].args
        else:
            continue
        is_class = isinstance(node, ast.ClassDef)
        names = [a.arg for a in (*arguments.args, *arguments.kwonlyargs)][is_class:]
        effects = [*ON_CALLS, *NUMERICS, "no gradient"]
        effects += ["no gradient to the parameters"] if is_class else []
        effects += [f"{word} of argument {name}" for word in ON_ARGUMENTS for name in names]
        found += [Saboteur(node.name, effect, is_class) for effect in effects]
    return found


@dataclasses.dataclass
class Sabotage:
    """What became of the saboteurs of one question."""

    caught: int = 0
    exempt: int = 0
    failures: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Trials:
    """Grades answers to one question, each once, and keeps what they printed."""

    question: str
    exam: Exam
    source: Source
    session: Session
    done: dict[str, tuple[Result, str]] = dataclasses.field(default_factory=dict)

    def grade(self, answer: str) -> tuple[Result, str]:
        """The result of an answer, and what its process printed."""
        if answer not in self.done:
            self.done[answer] = self._graded(answer)
        return self.done[answer]

    def _graded(self, answer: str) -> tuple[Result, str]:
        asked = self.exam.questions[self.question]
        cells = solved_cells(self.source, chain(self.exam.questions, asked.id), asked.id, answer)
        run = run_cells(self.exam, asked, cells, self.session)
        return judge(asked, run, dict(cells), {}, advise=False), run.printed


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
    names = [
        name
        for effect in (saboteur.effect, broad, *groups)
        for name in (f"{saboteur.target}: {effect}", effect)
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
    targets = {one.target: one for one in saboteurs(stub)}.values()
    for value in FILLS if targets else ():
        answer = solution
        for one in targets:
            answer = dataclasses.replace(one, effect=f"only {value}").spoil(answer)
        answers[f"{value} as every result"] = answer
    for value, answer in answers.items():
        result, _ = trials.grade(answer)
        if not result.points:
            found.caught += 1
        else:
            found.failures.append(f"{trials.question}: {value} has points:\n{result.feedback}")


def _equal_answers(question: Question) -> list[str]:
    """Numbers of a derive question that are equal: a right number in a wrong place would be right."""
    known: dict[float, str] = {}
    twins = []
    for name, value in question.reference.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            other = known.setdefault(abs(float(value)), name)
            twins += [f"{question.id}: the answers {other} and {name} are equal"] if other != name else []
    return twins


def hunt_saboteurs(
    question: Question, source: Source, exam: Exam, right: list[str], session: Session
) -> Sabotage:
    """Try every effect on the solution, and those of numerics on each of the ``right`` answers too."""
    found, needed = Sabotage(), set()
    trials = Trials(question.id, exam, source, session)
    for saboteur, answer in _attempts(trials, right):
        result, printed = trials.grade(saboteur.spoil(answer))
        if APPLIES not in printed:
            continue
        if result.points < result.max_points:
            found.caught += 1
        elif name := _exempted(question, saboteur):
            needed.add(name)
            found.exempt += 1
        # another way to compute it may have no numbers that could be extreme
        elif answer == source.solutions[question.id] or REACHED in printed:
            reached = "its inputs reach it" if REACHED in printed else "no input reaches it"
            told = f"{question.id}, seed {exam.seed}: full marks with '{saboteur}' ({reached})"
            found.failures += [told] if told not in found.failures else []
    if question.kind == "derive" and (twins := _equal_answers(question)):
        needed.add("equal answers")
        found.failures += [] if "equal answers" in question.exempt else twins
    for name in sorted(set(question.exempt) - needed):
        found.failures.append(f"{question.id}: exempts {name!r}, which loses points or does not apply")
    _typed(trials, found)
    return found
