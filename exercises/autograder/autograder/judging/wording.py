"""What a student reads about an error, the case in which it occurred, and wrong arguments."""

import ast
import builtins
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.authoring.source import without_magics
from autograder.judging.causes import gradients
from autograder.worker.messages import Error
from autograder.worker.session import hurried

MEMORY_WORDS = ("can't allocate memory", "out of memory", "Unable to allocate", "Cannot allocate memory")
UNANSWERED = re.compile(r"question \d\d\.\d+ is not answered yet")
NO_GRADIENT = ("does not require grad", "does not have a grad_fn")
IN_PLACE = "has been modified by an inplace operation"
IN_BACKWARD = (
    "the gradient cannot be computed: your code changes a tensor in place, with x += ..., x[...] = ... or a "
    "name that ends in _, after it was used; make a new tensor in its place."
)
QUOTED = re.compile(r"'([A-Za-z_]\w*)'")
COMMON = {*dir(builtins), *dir(np.ndarray), "NoneType", "Tensor", "Parameter", "function", "ndarray"}
CALLED = re.compile(r"\(\) (takes|missing|got (an unexpected|multiple)).* argument")
OTHER_CELLS = "check runs the cells marked '# setup' and '# question' only: what they use must be in them"


def clip(value: Any, size: int = 300) -> str:
    """The value as text on one line, of limited length."""
    text = " ".join(str(value).split())
    return text if len(text) <= size else text[: size - 3] + "..."


def sentence(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def is_memory(error: Error) -> bool:
    """Whether the code asked for more memory than it may have."""
    return error.builtin == "MemoryError" or any(word in error.message for word in MEMORY_WORDS)


def is_stub(error: Error) -> bool:
    """Whether a stub stopped the code: PyTorch raises NotImplementedError for its own reasons."""
    return error.type == "NotImplementedError" and UNANSWERED.fullmatch(error.message) is not None


def error_text(error: Error, sources: Mapping[str, str], advice: str = OTHER_CELLS) -> str:
    """What stopped the code and where; ``sources`` are the student's cells by label.

    ``advice`` follows on a name that is not defined.
    """
    kind, message = clip(error.type, 60), clip(error.message)
    text = f"{kind}: {message}" if message else kind
    label, line = error.cell, error.line
    if error.builtin == "SystemExit":
        text = "your code called sys.exit"
    elif is_memory(error):
        text = "your code asked for more memory than it may have"
    elif not label:
        return _outside(error, sources)
    lines = sources.get(label, "").split("\n")
    if line is not None and 1 <= line <= len(lines):
        text += f", in line {line} of the cell '# {label}': {lines[line - 1].strip()[:120]}"
    if error.deeper:
        text += f" (it comes up in the cell '# {error.deeper}', with what this line gives it)"
    if error.builtin == "NameError":
        text += f". ({advice})"
    if error.builtin in ("SyntaxError", "IndentationError", "TabError"):
        text += ". Python cannot read the cell, so nothing of it was run; the line before may be at fault"
    return text


def _outside(error: Error, sources: Mapping[str, str]) -> str:
    """An error outside the student's cells: in how they are called, or in what is done with their answer."""
    message = error.message
    text = f"{clip(error.type, 60)}: {clip(_without_strangers(message, sources))}".removesuffix(": ")
    if any(words in message for words in NO_GRADIENT):
        return gradients(list(sources.values())[-1] if sources else "")
    if IN_PLACE in message:
        return IN_BACKWARD
    if error.type == "TypeError" and CALLED.search(message):
        return f"{text}; it is called with the arguments that the question's cell gives it."
    if error.type == "TypeError" and message.endswith("object is not callable"):
        return f"{text}; the question asks for a function of that name."
    told = "what your cell defines or returns cannot be used as the question asks"
    if error.type == "KeyError":
        return f"{told}: an entry that is asked for is missing ({text})."
    if "NoneType" in message:
        told += "; is a return missing?"
    return f"{told} ({text})."


def _without_strangers(message: str, sources: Mapping[str, str]) -> str:
    """The message with three dots for quoted names that the student cannot know."""
    known = set(re.findall(r"\w+", " ".join(sources.values()))) | COMMON
    return QUOTED.sub(lambda found: found[0] if found[1] in known else "'...'", message)


def case_text(inputs: Mapping[str, Any], c: int, cases: int) -> str:
    """The inputs of case ``c`` by their names and shapes."""
    return f"case {c + 1} of {cases} ({inputs_text(inputs)}): " if inputs else ""


def inputs_text(inputs: Mapping[str, Any]) -> str:
    """The inputs by their names and shapes."""
    return ", ".join(f"{name} {_brief(value)}" for name, value in inputs.items())


def _brief(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.ndim:
        return "x".join(map(str, value.shape)) if value.ndim > 1 else f"of {len(value)}"
    if isinstance(value, list | tuple) and value and all(isinstance(item, np.ndarray) for item in value):
        return f"a list of {len(value)}: {'; '.join(map(_brief, value))}"
    if isinstance(value, np.ndarray):
        value = value.item()
    return f"{value:.4g}" if isinstance(value, float) else clip(value, 30)


def lost_status(reason: str) -> str:
    """The status of a part of which there is no answer, for this reason."""
    return reason if reason in ("crashed", "out-of-memory") else "timeout"


def lost_text(reason: str, seconds: float) -> str:
    """What ended the process that ran the code, or kept it from running."""
    if reason == "hurried":
        share = f"{hurried(seconds):g} of {seconds:g} seconds"
        return f"your code was stopped after {share}, since a part before it ran out of time."
    if reason == "untried":
        return (
            "not run, since two parts before it ran out of time: "
            "a loop that does not end costs one limit of time, not one for each part."
        )
    if reason == "overdue":
        return "the time for the whole notebook was over before your code ended here."
    if reason == "timeout":
        return f"your code was stopped after {seconds:g} seconds; is there a loop that does not end?"
    if reason == "out-of-memory":
        return "your code asked for more memory than it may have."
    return "your code ended its own process (os._exit, or a crash of the interpreter)."


def changed_arguments(stub: str, answer: str) -> str:
    """A sentence on the first function of the answer that does not take the arguments of the stub's."""
    asked, given = _functions(stub), _functions(answer)
    for name, arguments in asked.items():
        if name in given and not _fits(arguments, given[name]):
            forms = [f"({clip(ast.unparse(_plain(a)))})" for a in (given[name], arguments)]
            return f"Your {clip(name, 60)}{forms[0]} should take these arguments, in this order: {forms[1]}."
    return ""


def _functions(source: str) -> dict[str, ast.arguments]:
    """The arguments of functions and, as 'Class.method', of methods."""
    try:
        tree = ast.parse(without_magics(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node.args
        elif isinstance(node, ast.ClassDef):
            methods = [n for n in node.body if isinstance(n, ast.FunctionDef)]
            found.update({f"{node.name}.{n.name}": n.args for n in methods})
    return found


def _fits(asked: ast.arguments, given: ast.arguments) -> bool:
    """Whether calls written for ``asked`` reach ``given``, each argument in its place."""
    wanted = [a.arg for a in (*asked.posonlyargs, *asked.args)]
    names = [a.arg for a in (*given.posonlyargs, *given.args)]
    if given.vararg is not None:
        return True
    if len(names) < len(wanted) or len(names) - len(given.defaults) > len(wanted) - len(asked.defaults):
        return False
    return names[: len(wanted)] == wanted or sorted(names[: len(wanted)]) != sorted(wanted)


def _plain(arguments: ast.arguments) -> ast.arguments:
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    arguments.defaults = [_short(default) for default in arguments.defaults]
    arguments.kw_defaults = [default and _short(default) for default in arguments.kw_defaults]
    return arguments


def _short(default: ast.expr) -> ast.expr:
    """The value of an argument, or three dots for one that may be nested too deeply to be written."""
    return default if isinstance(default, ast.Constant) else ast.Constant(...)
