"""What a student reads about an error, the case in which it occurred, and wrong arguments."""

import ast
import builtins
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.authoring.source import without_magics
from autograder.judging.causes import missing_gradients, nodes_of
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
KEPT = (
    "Your cell keeps {name} from one call to the next (line {line}: {shown}); what an earlier call left "
    "there may be used for other inputs."
)
CONTAINERS = ("dict", "list", "set", "defaultdict", "OrderedDict", "Counter", "deque")
WRITING = ("append", "extend", "insert", "add", "update", "setdefault")
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
        text = "SystemExit: your code called sys.exit"
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
        return missing_gradients(list(sources.values())[-1] if sources else "")
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
    """A sentence on the first function of the answer that does not take the arguments of the stub's.

    If all do, one on what the answer keeps between calls.
    """
    asked, given = _functions(stub), _functions(answer)
    for name, arguments in asked.items():
        if name in given and not _fits(arguments, given[name]):
            forms = [f"({clip(ast.unparse(_plain(a)))})" for a in (given[name], arguments)]
            return f"Your {clip(name, 60)}{forms[0]} should take these arguments, in this order: {forms[1]}."
    return kept_between_calls(answer)


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


def kept_between_calls(answer: str) -> str:
    """That something outlives a call of the answer's functions, and where it is written; else nothing."""
    nodes = nodes_of(answer)
    for owner in nodes:
        if not isinstance(owner, ast.Module | ast.ClassDef):
            continue
        own = "" if isinstance(owner, ast.Module) else "self."
        names = {own + name for name in _containers(owner)}
        for function in (node for node in owner.body if isinstance(node, ast.FunctionDef)):
            if found := _keeps(function, names):
                shown = answer.split("\n")[found[1] - 1].strip()[:120]
                return KEPT.format(name=found[0], line=found[1], shown=shown)
    return ""


def _containers(owner: ast.Module | ast.ClassDef) -> set[str]:
    """The names of lists, dicts and sets that are made once."""
    return {
        target.id
        for node in owner.body
        if isinstance(node, ast.Assign) and _is_container(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _is_container(value: ast.expr) -> bool:
    called = value.func if isinstance(value, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in CONTAINERS or isinstance(
        value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp
    )


def _keeps(function: ast.FunctionDef, names: set[str]) -> tuple[str, int] | None:
    """What a function writes that is still there in its next call, and the line."""
    for decorator in function.decorator_list:
        if "cache" in ast.unparse(decorator):
            return f"the results of {function.name}", decorator.lineno
    nodes = list(ast.walk(function))
    arguments = [*function.args.posonlyargs, *function.args.args]
    defaults = zip(arguments[::-1], function.args.defaults[::-1])
    kept = names - {argument.arg for argument in arguments}
    kept |= {argument.arg for argument, value in defaults if _is_container(value)}
    shared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    kept |= shared | {f"global {name}" for name in shared}
    kept |= {name for node in nodes for name in _asked_for(node)} if function.name != "__init__" else set()
    kept |= {other for node in nodes for other in _other_names(node, kept)}
    for node in nodes:
        if (found := _written(node)) and (found[0] in kept or found[0].startswith(f"{function.name}.")):
            return found[0].removeprefix("global "), found[1]
    return None


def _asked_for(node: ast.AST) -> list[str]:
    """The attribute that a method looks for, as it may not be there yet."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("hasattr", "getattr"):
        name = node.args[1] if len(node.args) > 1 else None
        return [f"{ast.unparse(node.args[0])}.{name.value!s}"] if isinstance(name, ast.Constant) else []
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
        return [ast.unparse(node.left)] if isinstance(node.ops[0], ast.Is) else []
    return []


def _other_names(node: ast.AST, kept: set[str]) -> list[str]:
    """Further names that an assignment gives to what is kept."""
    if not isinstance(node, ast.Assign):
        return []
    target, value = node.targets[0], node.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts))
    return [one.id for one, other in pairs if isinstance(one, ast.Name) and ast.unparse(other) in kept]


def _written(node: ast.AST) -> tuple[str, int] | None:
    """The container into which a piece of code writes, or the name or attribute that it sets."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return ast.unparse(node.value), node.lineno
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return ast.unparse(node), node.lineno
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return f"global {node.id}", node.lineno
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITING:
        return ast.unparse(node.func.value), node.lineno
    return None
