"""Causes of a lost case that have nothing to do with its formula: what is said of them, and what to do.

A part that is lost for such a cause first shows no hint: hints are about the formula.
"""

import ast
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autograder.authoring.source import without_magics
from autograder.authoring.spec import Interval
from autograder.judging.compare import close, comparable, equal, number, regular, sort_of
from autograder.judging.conceal import DIGITS, PLAIN, Concealed
from autograder.judging.differences import other_length
from autograder.worker.messages import Error

UNREADABLE = "the reported values do not have the form asked for"
MAX_AXES = 4
CUTTING = (
    "detach",
    "detach_",
    "item",
    "tolist",
    "numpy",
    "tensor",
    "as_tensor",
    "from_numpy",
    "no_grad",
    "inference_mode",
    "data",
)
GRADIENTS = (
    "gradients are asked for, and none flow through your answer: something in it cuts them off, "
    "such as detach(), item(), tolist(), numpy(), torch.tensor(...) or no_grad."
)
NO_GRADIENT = "all of this gradient is 0, as if what you return did not depend on this input."
DIGITS_LOST = (
    "the first six digits are right: the others are lost where something is computed in float32 or rounded, "
    "a small number such as 1e-8 is added, or something small is left out"
)
SIX_DIGITS = 2e-6
ROUNDED = "these are the right numbers, rounded to {} digits after the point; return them as they are"
FEWEST_ROUNDED, MOST_ROUNDED = 2, 6
NAN = (
    "NaN comes from infinity minus infinity, 0 times infinity, 0/0, or a logarithm or root of a negative "
    "number: print x.isnan().any() after each line to find the first one"
)
INFINITE = (
    "infinity comes from an exponential that overflows, a division by 0, the logarithm of 0 or a mask: print "
    "x.isinf().any() after each line to find the first one"
)
BOOLEANS = "comparisons (<, ==), & and ~ give True and False, and arithmetic does not"
REALS = "a comparison or a mask is True and False; x.float() makes it the numbers 1 and 0"
WHOLE = (
    "yours have a dtype of whole numbers, which cuts fractions off; make floats of them, with x.float(), "
    "before the arithmetic"
)
HALF = "yours have the dtype float16, which has three digits; compute in float32"
COPY = "write y = x + 1 in place of x += 1, and begin with x = x.clone() before x[...] = ... or x.add_(...)"
EXTRA_AXIS = (
    "an axis of size 1 is too many: keepdim=True, unsqueeze and [..., None] make one, squeeze takes it away"
)
LOST_AXIS = (
    "an axis of size 1 is missing: keepdim=True or unsqueeze keeps it, squeeze() takes away all of them"
)
TURNED = "transpose, movedim or permute puts axes into another order; reshape does not"
EXPANDED = (
    "axes were expanded against each other: print the shapes before each operation on two tensors, which are "
    "aligned at the last axis"
)
UNSUMMED = (
    "an axis is too many: a sum, mean or index over it is missing, or axes were expanded against each other"
)
SUMMED = "an axis is gone: a sum, mean or index over an axis takes it away"
PRINTED = "print the shape after each line to find the first one that is not as you think"


def of_error(error: Error) -> str:
    """The key of an exception: the same at the same line, whatever the sizes in its message."""
    return f"{error.type} {error.cell} {error.line}" if error.cell else ""


def forbidden(name: str, error: Error | None) -> str:
    """That a call is not allowed, and where it stands."""
    at = ""
    if error is not None and error.type == "Forbidden" and error.cell and error.line is not None:
        at = f": it is called in line {error.line} of the cell '# {error.cell}'"
    return f"{name} is not allowed in this question{at}."


def changed(name: str, answer: str) -> str:
    """That an input was changed in place, in which line if that is known, and what to do."""
    lines = {line for root, line in _changes(answer) if root == name}
    at = f" (line {lines.pop()} of your cell)" if len(lines) == 1 else ""
    return (
        f"your code changes its input {name} in place{at}; the caller's data must stay as they are: {COPY}."
    )


def gradients(answer: str) -> str:
    """That a gradient is zero, with the line that may cut it off; other ways to it are not excluded."""
    return NO_GRADIENT + _look_at(answer)


def missing_gradients(answer: str) -> str:
    """That no gradient flows, with the line that may cut it off."""
    return GRADIENTS + _look_at(answer)


def _look_at(answer: str) -> str:
    lines = answer.split("\n")
    at = next((line for line in _cuts(answer) if line <= len(lines)), None)
    if at is None:
        return ""
    return f" Look at line {at} of your cell first, which may cut it off: {lines[at - 1].strip()[:120]}"


def of_hidden(told: str) -> str:
    """The cause of a hidden value that is not right, by what is said of it."""
    if DIGITS in told:
        return "digits"
    return "" if PLAIN in told and ": a value is" not in told and "is text;" not in told else "form"


def of_output(name: str, expected: Any, got: Any, rtol: float, atol: float) -> tuple[str, str]:
    """The cause for which an output is wrong and what to do; nothing if its numbers are just wrong."""
    if isinstance(expected, Concealed):
        return "", ""
    if isinstance(expected, Interval):
        value = number(got)
        return ("form", "") if value is None else ("", "") if np.isfinite(value) else ("nan", _none(value))
    expected, got = _first_wrong(expected, got, rtol, atol)
    wanted = None if isinstance(expected, str) or expected is None else regular(expected)
    if wanted is None:
        return ("", "") if type(expected) is type(got) else ("form", "")
    found = comparable(expected, got)
    if found is None:
        return "form", ""
    if found.shape != wanted.shape:
        if other_length(expected, wanted, found):
            return "", ""
        return "shape", _of_shape(wanted, found, rtol, atol)
    if sort_of(found) != sort_of(wanted):
        return "dtype", BOOLEANS if wanted.dtype.kind == "b" else REALS if found.dtype.kind == "b" else ""
    return _of_numbers(name, wanted, found, ~close(wanted, found, rtol, atol))


def _of_numbers(name: str, wanted: np.ndarray, found: np.ndarray, wrong: np.ndarray) -> tuple[str, str]:
    if wanted.dtype.kind == "b" or not wrong.any():
        return "", ""
    first = found[wrong][0]
    if np.isnan(first) or (not np.isfinite(first) and np.isfinite(wanted[wrong][0])):
        return "nan", _none(first)
    fractions = wanted.dtype.kind == "f" and bool((wanted[wrong] != np.round(wanted[wrong])).any())
    if fractions and found.dtype.kind in "iu":
        return "dtype", WHOLE
    if fractions and found.dtype == np.float16 and close(wanted, found, 1e-2, 1e-2).all():
        return "dtype", HALF
    if name.startswith("gradient") and found.size and not found.any() and np.isfinite(wanted).all():
        return "gradient", NO_GRADIENT
    with np.errstate(invalid="ignore"):  # of infinities there is no difference, and no warning to read
        near = np.abs(found - wanted)[wrong] <= SIX_DIGITS * np.abs(wanted[wrong])
    if fractions and bool(near.all()):
        return "digits", DIGITS_LOST
    if fractions and (digits := _rounded_to(wanted[wrong], found[wrong])):
        return "digits", ROUNDED.format(digits)
    return "", ""


def _rounded_to(wanted: np.ndarray, found: np.ndarray) -> int:
    """The digits after the point to which the numbers are rounded; 0 if they are not, or by chance."""
    for digits in range(FEWEST_ROUNDED, MOST_ROUNDED + 1):
        rounded = np.round(wanted.astype(np.float64), digits)
        seen = np.log10(np.maximum(np.abs(rounded) * 10.0**digits, 1.0)).sum()
        if seen >= FEWEST_ROUNDED and np.isclose(found, rounded, rtol=1e-7, atol=1e-12).all():
            return digits
    return 0


def _none(value: Any) -> str:
    return NAN if np.isnan(value) else INFINITE


def _first_wrong(expected: Any, got: Any, rtol: float, atol: float) -> tuple[Any, Any]:
    """The first entries of dicts and lists that are not equal, as ``differences`` finds them."""
    if isinstance(expected, dict) and isinstance(got, dict):
        pairs = [(value, got[key]) for key, value in expected.items() if key in got]
        if len(pairs) < len(expected):
            return expected, None
    elif (
        isinstance(expected, list | tuple)
        and regular(expected) is None
        and isinstance(got, list | tuple)
        and len(got) == len(expected)
    ):
        pairs = list(zip(expected, got, strict=True))
    else:
        return expected, got
    wrong = next((pair for pair in pairs if not equal(*pair, rtol=rtol, atol=atol)), None)
    return (expected, got) if wrong is None else _first_wrong(*wrong, rtol, atol)


def _of_shape(wanted: np.ndarray, found: np.ndarray, rtol: float, atol: float) -> str:
    """What may have become of a shape, as far as the shapes tell."""
    one, other = wanted.squeeze().shape, found.squeeze().shape
    if one == other and wanted.ndim != found.ndim:
        return EXTRA_AXIS if found.ndim > wanted.ndim else LOST_AXIS
    if sorted(wanted.shape) == sorted(found.shape) and _is_turned(wanted, found, rtol, atol):
        return TURNED
    if found.ndim > wanted.ndim and any(
        found.shape[:axis] + found.shape[axis + 1 :] == wanted.shape for axis in range(found.ndim)
    ):
        return UNSUMMED
    twice = len(set(found.shape)) < found.ndim
    if found.ndim >= wanted.ndim and twice and _covers(found.shape, wanted.shape):
        return EXPANDED
    if found.ndim == wanted.ndim - 1 and any(
        found.shape == (*wanted.shape[:axis], *wanted.shape[axis + 1 :]) for axis in range(wanted.ndim)
    ):
        return SUMMED
    return PRINTED


def _covers(large: tuple[int, ...], small: tuple[int, ...]) -> bool:
    """Whether the smaller shape expands to the larger one, aligned at the last axis."""
    return all(one in (1, other) for one, other in zip(small[::-1], large[::-1]))


def _is_turned(wanted: np.ndarray, found: np.ndarray, rtol: float, atol: float) -> bool:
    if wanted.ndim > MAX_AXES or "c" in (wanted.dtype.kind, found.dtype.kind):
        return False
    turned = (found.transpose(axes) for axes in itertools.permutations(range(found.ndim)))
    return any(one.shape == wanted.shape and close(wanted, one, rtol, atol).all() for one in turned)


def form(description: str, expected: Mapping[str, Any], outputs: Mapping[str, Any]) -> str:
    """That a property cannot read the outputs: the forms asked for, and those given."""
    asked = {name: _form(value) for name, value in expected.items()}
    given = {name: _form(value) for name, value in outputs.items()}
    differ = [name for name, told in asked.items() if given.get(name) != told]
    if differ:
        pairs = [f"{name} should be {asked[name]}, and is {given.get(name, 'missing')}" for name in differ]
        return f"{UNREADABLE}: {'; '.join(pairs)}"
    told = ", ".join(f"{name} {one}" for name, one in given.items()) or "nothing"
    return f"{UNREADABLE}. Asked for: {description}. Given: {told}"


def _form(value: Any) -> str:
    """The form of a value in words, without its content."""
    if isinstance(value, Concealed):
        return "a value" if len(value.digests) == 1 else f"{len(value.digests)} values"
    if isinstance(value, bool):
        return "True or False"
    if value is None:
        return "None"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, dict):
        return f"a dict with the keys {', '.join(map(repr, value))}"
    if isinstance(value, Interval) or number(value) is not None:
        return "a number"
    if isinstance(value, np.ndarray):
        return f"a tensor of shape {value.shape}"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    return f"a {type(value).__name__}"


def nodes_of(source: str) -> list[ast.AST]:
    """All nodes of a cell's syntax tree; none if it cannot be read."""
    try:
        return list(ast.walk(ast.parse(without_magics(source))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _cuts(answer: str) -> Iterator[int]:
    """The lines of what may cut a gradient off; a tensor of constants does not."""
    nodes = nodes_of(answer)
    constant = {
        id(node.func)
        for node in nodes
        if isinstance(node, ast.Call)
        and all(isinstance(one, ast.Constant) for one in node.args)
        and node.args
    }
    found = [n for n in nodes if isinstance(n, ast.Attribute) and n.attr in CUTTING and id(n) not in constant]
    yield from sorted(node.lineno for node in found)


def _changes(answer: str) -> Iterator[tuple[str, int]]:
    """What is changed in place: the name that it hangs on, and the line."""
    for node in nodes_of(answer):
        targets: list[ast.expr] = []
        if isinstance(node, ast.AugAssign):
            targets = [node.target]
        elif isinstance(node, ast.Assign):
            targets = [target for target in node.targets if isinstance(target, ast.Subscript)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            targets = [node.func.value] if node.func.attr.endswith("_") and node.func.attr[0] != "_" else []
        for target in targets:
            root = target
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            if isinstance(root, ast.Name):
                yield root.id, target.lineno
