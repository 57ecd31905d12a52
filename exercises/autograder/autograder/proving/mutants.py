"""Mechanical mistakes: every small change of a right answer must lose points, or change no output.

The operators are fixed. A mutant that keeps full marks runs on fresh inputs (``fresh``); if it equals the
reference on all of them it is the same function written differently, and if not, the question's cases are too
weak. The right answers run too: one that fresh inputs reject shows a tolerance that is too tight.
"""

import ast
import copy
import dataclasses
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.layers import Layers
from autograder.authoring.source import Source
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam, chain
from autograder.proving.bench import Bench
from autograder.proving.fresh import refuted
from autograder.worker.session import Session

UNCHANGED = "nothing changed"
SECONDS = 3.0
PATIENT_SECONDS = 30.0
ARITHMETIC = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add, ast.Pow),
    ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ORDERED = (ast.Sub, ast.Div, ast.MatMult, ast.Pow, ast.FloorDiv, ast.Mod)
TRANSPOSES = {"T", "mT", "H", "mH", "transpose", "swapaxes", "permute", "t", "adjoint", "moveaxis", "movedim"}
MASK_WORDS = ("mask", "keep", "allowed", "visible", "causal")
MASKED = {"where", "masked_fill", "masked_fill_"}
OPPOSITES = {"tril": "triu", "triu": "tril", "any": "all", "all": "any"}
NO_VALUE = {
    "torch",
    "np",
    "numpy",
    "math",
    "nn",
    "F",
    "functools",
    "itertools",
    "operator",
    "random",
    "self",
}
KEPT_STATEMENTS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Mutant:
    """A changed right answer: by which operator, at which line of the original, and its text."""

    origin: str
    operator: str
    line: int
    source: str

    def __str__(self) -> str:
        return f"{self.origin}, line {self.line}, {self.operator}"


def _changed(node: ast.AST, **fields: object) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _constants(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    value = node.value
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, int):
        for other in (value + 1, value - 1):
            yield "axis or constant", ast.Constant(other)
    elif isinstance(value, float):
        yield "constant", ast.Constant(2 * value if value else 1.0)
        yield "constant", ast.Constant(value / 2 if value else -1.0)
    elif isinstance(value, str) and "->" in value:
        terms, _, axes = value.partition("->")
        for i in range(len(axes) - 1):
            swapped = axes[:i] + axes[i + 1] + axes[i] + axes[i + 2 :]
            yield "axes swapped", ast.Constant(f"{terms}->{swapped}")


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(receiver, ast.Name) and receiver.id in NO_VALUE:
        receiver = None
    if name in MASKED and node.args and not isinstance(node.args[0], ast.Starred | ast.UnaryOp):
        yield "mask inverted", _changed(node, args=[ast.UnaryOp(ast.Invert(), node.args[0]), *node.args[1:]])
    for i in range(len(node.args) - 1):
        swapped = [*node.args]
        swapped[i], swapped[i + 1] = swapped[i + 1], swapped[i]
        yield "arguments swapped", _changed(node, args=swapped)
    if receiver is not None:
        yield ("transpose removed" if name in TRANSPOSES else "call removed"), receiver
    if node.args and not isinstance(node.args[0], ast.Starred):
        yield "call removed", node.args[0]
    for i in range(len(node.keywords)):
        yield "keyword removed", _changed(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])


def variants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Each operator's replacements of one node."""
    if isinstance(node, ast.BinOp):
        for other in ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", _changed(node, op=other())
        if isinstance(node.op, ORDERED):
            yield "operands swapped", _changed(node, left=node.right, right=node.left)
        yield "operand dropped", node.left
    elif isinstance(node, ast.AugAssign):
        for other in ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", _changed(node, op=other())
    elif isinstance(node, ast.Compare):
        for i, old in enumerate(node.ops):
            for new in COMPARISONS[type(old)]:
                yield "comparison", _changed(node, ops=[*node.ops[:i], new(), *node.ops[i + 1 :]])
    elif isinstance(node, ast.BoolOp):
        yield "logic", _changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp):
        yield "sign or inversion removed", node.operand
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Slice):
        for bound in ("lower", "upper"):
            if getattr(node, bound) is not None:
                yield "slice bound dropped", _changed(node, **{bound: None})
    elif isinstance(node, ast.comprehension):
        for i in range(len(node.ifs)):
            yield "condition dropped", _changed(node, ifs=node.ifs[:i] + node.ifs[i + 1 :])
    elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "H", "mH"):
        yield "transpose removed", node.value
    elif isinstance(node, ast.Attribute) and node.attr in OPPOSITES:
        yield "opposite mask", _changed(node, attr=OPPOSITES[node.attr])
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if any(word in node.id.lower() for word in MASK_WORDS):
            yield "mask inverted", ast.UnaryOp(ast.Invert(), node)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    if isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield "condition negated", _changed(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.stmt) and not isinstance(node, KEPT_STATEMENTS):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not text:
            yield "statement deleted", ast.Pass()


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST):
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def mutants(source: str, origin: str) -> list[Mutant]:
    """All distinct mutants of an answer, each with one change."""
    tree = ast.parse(source)
    skipped = {id(inner) for node in ast.walk(tree) for outer in _unseen(node) for inner in ast.walk(outer)}
    seen, made = {ast.unparse(tree)}, []
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        for operator, new in variants(node):
            changed = _with(tree, node, new)
            if changed not in seen:
                seen.add(changed)
                made.append(Mutant(origin, operator, getattr(node, "lineno", 0), changed))
    return made


def _unseen(node: ast.AST) -> list[ast.AST]:
    """What carries no meaning at run time: docstrings and annotations."""
    found: list[ast.AST] = []
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        found.append(node)
    if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
        found.append(node.annotation)
    if isinstance(node, ast.FunctionDef) and node.returns is not None:
        found.append(node.returns)
    return found


def _with(tree: ast.Module, old: ast.AST, new: ast.AST) -> str:
    """The text of the tree with one node replaced; the tree itself is not changed."""
    order = {id(node): i for i, node in enumerate(ast.walk(tree))}
    fresh = copy.deepcopy(tree)
    target = next(node for i, node in enumerate(ast.walk(fresh)) if i == order[id(old)])
    return ast.unparse(ast.fix_missing_locations(_Replace(target, copy.deepcopy(new)).visit(fresh)))


def sample(found: list[Mutant], size: int | None) -> list[Mutant]:
    """A fixed selection: the mutants whose texts have the smallest hashes."""
    if size is None:
        return found
    return sorted(found, key=lambda m: hashlib.sha256(m.source.encode()).hexdigest())[:size]


@dataclass
class Verdict:
    """What became of the mutants of one question."""

    question: str
    caught: int = 0
    equivalent: list[Mutant] = dataclasses.field(default_factory=list)
    survivors: list[tuple[Mutant, str]] = dataclasses.field(default_factory=list)


class Hunt:
    """Mutates the right answers of one exercise.

    A mutant that loses a part in this process is caught; the others are graded as an answer is, by a worker.
    """

    def __init__(
        self,
        folder: Path,
        session: Session,
        seed: int = 0,
        overlay: Path | None = None,
        question: str | None = None,
    ):
        self.layers = Layers.of(folder, overlay)
        self.session = session
        self.source: Source = self.layers.source()
        self.exam = Exam.at_seed(folder, seed, session, overlay, question)
        self.bank = self.layers.bank("right")

    def right_answers(self, question: str) -> list[Mutant]:
        """The right answers as they are."""
        found = [Mutant("exercise.md", UNCHANGED, 1, self.source.solutions[question])]
        answers = [answer for answer in self.bank if answer.question == question]
        return found + [Mutant(str(answer), UNCHANGED, 1, answer.source) for answer in answers]

    def mutants_of(self, question: str) -> list[Mutant]:
        """All mutants of the right answers."""
        return [m for right in self.right_answers(question) for m in mutants(right.source, right.origin)]

    def run(self, question: str, *, size: int | None = None, inputs: int = 10_000) -> Verdict:
        """Every mutant (or a sample of ``size``); survivors run on ``inputs`` fresh cases per part."""
        verdict = Verdict(question)
        asked = self.exam.questions[question]
        needed = [self.source.solutions[q] for q in chain(self.exam.questions, question)]
        bench = Bench(asked.parts, [self.source.setup, *needed], SECONDS)
        patient = dataclasses.replace(asked, seconds=PATIENT_SECONDS, mistakes=())
        exam = dataclasses.replace(self.exam, questions={**self.exam.questions, question: patient})
        alive = []
        for mutant in [*self.right_answers(question), *sample(self.mutants_of(question), size)]:
            lost = mutant.operator != UNCHANGED and bench.losses(mutant.source, first=True)[0]
            if lost or not self._is_full(exam, question, mutant):
                verdict.caught += 1
            else:
                alive.append(mutant)
        feedback = refuted(self.layers, question, [mutant.source for mutant in alive], inputs)
        verdict.survivors = [(mutant, feedback[i]) for i, mutant in enumerate(alive) if i in feedback]
        equal = [mutant for i, mutant in enumerate(alive) if i not in feedback]
        verdict.equivalent = [mutant for mutant in equal if mutant.operator != UNCHANGED]
        return verdict

    def _is_full(self, exam: Exam, question: str, mutant: Mutant) -> bool:
        answers = {**self.source.solutions, question: mutant.source}
        result = evaluate(exam, question, self.source.setup, answers, self.session, advise=False)
        return result.points == result.max_points
