"""What an author writes: a question as a specification, from which feedback, grading and their proof follow.

``spec.py`` of a question holds ``QUESTION = Question(...)``; AUTHORS.md has a complete example.
"""

import builtins
import dis
import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, SimpleNamespace
from typing import Any

import numpy as np
import torch

WITHHELD = ("transformer_lib",)
KINDS = ("implement", "derive", "repair", "experiment")
QUESTION_ID = re.compile(r"(\d{2})\.(\d{1,2})")
HINT_FORM = "hints should be a tuple of different sentences, the first the least telling"
PROGRAM_NAMES = frozenset({"torch", "np", "math"})


class SpecificationError(ValueError):
    """Input of an author or instructor that breaks a rule; the message says which one and how."""


@dataclass(frozen=True)
class Interval:
    """An expected number of an experiment: any value from ``low`` to ``high`` is accepted."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise SpecificationError(
                f"Interval({self.low}, {self.high}): both must be finite and low <= high"
            )


def normal(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> torch.Tensor:
    """A float32 tensor of independent normal numbers with standard deviation ``scale``."""
    return torch.from_numpy((scale * rng.standard_normal(shape)).astype(np.float32))


def no_inputs(rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """The inputs of a part that asks for a value: one case with nothing in it."""
    yield {}


def _are_hints(hints: object) -> bool:
    """Whether these are sentences in a tuple or list, each of them said once."""
    if not isinstance(hints, tuple | list) or not all(
        isinstance(hint, str) and hint.strip() for hint in hints
    ):
        return False
    return len(set(hints)) == len(hints)


@dataclass(frozen=True)
class Part:
    """One comparison with its own points.

    ``inputs(rng)`` yields several cases, dicts of tensors, arrays, numbers, strings; ``program(student,
    inputs)`` runs inside the worker and returns a dict of outputs. A part that only reads names of the
    student's gives them as ``reads`` in place of a program. The same program run on the question's
    ``reference`` gives what is expected, unless ``expected(inputs)`` does (its values may be ``Interval``).
    ``hints`` are shown one after another to a student who fails this part first, in place of the question's.
    ``conceal`` hides the expected outputs as those of a derive question. ``requires`` names earlier parts,
    without which this one earns nothing: a report counts with the function that measured it.
    """

    name: str
    points: int
    description: str
    program: Callable[[Any, dict[str, Any]], dict[str, Any]] | None = None
    inputs: Callable[[np.random.Generator], Iterable[dict[str, Any]]] = no_inputs
    rtol: float = 1e-4
    atol: float = 1e-5
    compare: tuple[str, ...] | None = None
    expected: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    properties: tuple[Callable[[dict[str, Any], dict[str, Any]], str | None], ...] = ()
    may_change_inputs: bool = False
    digits: int = 6
    reads: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    conceal: bool = False
    requires: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _are_hints(self.hints):
            raise SpecificationError(f"part {self.name!r}: {HINT_FORM}")
        if (self.program is None) == (not self.reads):
            raise SpecificationError(f"part {self.name!r}: give either a program or the names that it reads")
        if isinstance(self.reads, str) or not all(name.isidentifier() for name in self.reads):
            raise SpecificationError(f"part {self.name!r}: reads should be names, such as ('variance',)")

    @property
    def source(self) -> str:
        """The text of the program, as it is sent to the worker."""
        if self.program is not None:
            return source_of(self.program)
        outputs = ", ".join(f'"{name}": student.{name}' for name in self.reads)
        return f"def give_{'_'.join(self.reads)}(student, inputs):\n    return {{{outputs}}}\n"

    def cases(self, rng: np.random.Generator) -> list[dict[str, Any]]:
        """Draw the inputs of every case."""
        drawn: Any = self.inputs(rng)
        cases: list[Any] = [drawn] if isinstance(drawn, Mapping) else list(drawn)
        if not cases:
            raise SpecificationError(f"part {self.name!r}: inputs(rng) gave no case")
        return cases


@dataclass(frozen=True)
class Question:
    """A question of an exercise: its parts, the right answer, and hints for parts without their own.

    ``exempt`` names the effects of saboteurs that its text allows, each with the reason.
    ``uses`` names those of the course's own packages (WITHHELD) that an answer may import.
    ``clauses`` is the ledger of what the text says: a phrase of it, and the part that tests it with the
    mistake that only this part catches; or, as one sentence, why nothing is to be tested.
    """

    id: str
    title: str
    kind: str
    difficulty: int
    minutes: int
    parts: tuple[Part, ...]
    reference: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    seconds: float = 10.0
    hints: tuple[str, ...] = ()
    exempt: Mapping[str, str] = field(default_factory=dict)
    clauses: Mapping[str, str | tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        problems = []
        if not all(isinstance(part, Part) for part in self.parts):
            raise SpecificationError(f"question {self.id}: its parts should be made by Part(...)")
        if not QUESTION_ID.fullmatch(self.id):
            problems.append("the id should look like '06.2'")
        if self.kind not in KINDS:
            problems.append(f"the kind {self.kind!r} should be one of {', '.join(KINDS)}")
        if self.difficulty not in range(1, 6):
            problems.append("the difficulty should be 1 to 5")
        if not set(self.uses) <= set(WITHHELD):
            problems.append(f"uses {self.uses!r} should name some of {', '.join(WITHHELD)}")
        if not _are_hints(self.hints):
            problems.append(HINT_FORM)
        elif unaided := [part.name for part in self.parts if not (part.hints or self.hints)]:
            problems.append(f"the part {unaided[0]!r} needs hints: its own, or those of the question")
        names = [part.name for part in self.parts]
        if not names or len(set(names)) < len(names):
            problems.append("parts are needed, with different names")
        for i, part in enumerate(self.parts):
            if isinstance(part.requires, str) or not set(part.requires) <= set(names[:i]):
                problems.append(f"the part {part.name!r} should require earlier parts, in a tuple")
        if any(not isinstance(part.points, int) or part.points < 1 for part in self.parts):
            problems.append("each part needs a whole number of points, at least 1")
        if problems:
            raise SpecificationError(f"question {self.id}: " + "; ".join(problems))
        for part in self.parts:
            for source in (part.source, *map(source_of, part.properties)):
                compile(source, part.name, "exec")

    @property
    def points(self) -> int:
        """The points of all parts."""
        return sum(part.points for part in self.parts)

    def expected(self, part: Part, inputs: dict[str, Any]) -> dict[str, Any]:
        """What a right answer gives on these inputs, restricted to the outputs that are compared."""
        if part.expected is not None:
            outputs = part.expected(inputs)
        else:
            torch.default_generator.manual_seed(0)  # torch.manual_seed keeps a note of each call
            program = part.program or compiled(part.source)
            outputs = program(SimpleNamespace(**self.reference), inputs)
        if part.compare is None:
            return outputs
        return {name: outputs[name] for name in part.compare}


def _global_names(code: CodeType) -> set[str]:
    nested = (_global_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    own = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    return own.union(*nested)


def source_of(function: Callable) -> str:
    """The text of a program or property: a ``def`` that knows only torch, np, math and builtins."""
    name = getattr(function, "__name__", repr(function))
    if name == "<lambda>" or not inspect.isfunction(function):
        raise SpecificationError(f"{name}: a program or property must be a plain function made by def")
    if function.__code__.co_freevars:
        raise SpecificationError(
            f"{name}: it is sent as text, so it cannot use names of an enclosing function"
        )
    foreign = sorted(n for n in _global_names(function.__code__) - PROGRAM_NAMES if not hasattr(builtins, n))
    if foreign:
        raise SpecificationError(
            f"{name}: it is sent as text, and the worker does not know {', '.join(foreign)}; "
            "it may use torch, np, math, and what it imports itself"
        )
    return textwrap.dedent(inspect.getsource(function))


def compiled(source: str) -> Callable:
    """The function that a program's or property's text defines."""
    namespace: dict[str, Any] = {"torch": torch, "np": np, "math": math}
    exec(compile(source, "<program>", "exec"), namespace)
    return next(v for k, v in reversed(namespace.items()) if inspect.isfunction(v) and not k.startswith("__"))
