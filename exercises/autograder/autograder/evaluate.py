"""The one path from a student's cells to points: run in a worker, compared here."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.compare import Concealed, Fingerprint, checked_outputs, difference
from autograder.exam import Case, Exam, ExamPart, ExamQuestion, chain, request, signature
from autograder.launcher import Run, Session
from autograder.notebook import same_code, without_magics
from autograder.protocol import ProtocolError, unpack
from autograder.results import PartResult, Result
from autograder.spec import compiled

MAX_PRINTED_LINES = 20
MEMORY_WORDS = ("can't allocate memory", "out of memory", "Unable to allocate", "Cannot allocate memory")


def evaluate(
    exam: Exam, name: str, setup: str | None, answers: Mapping[str, str], session: Session
) -> Result:
    """Grades question ``name``; ``answers`` are the sources of the student's marked cells by question."""
    question = exam.questions[name]
    answer = answers.get(name)
    if answer is None:
        return _unrun(question, "missing", f"No cell begins with the line '# question {name}'.")
    if same_code(answer, question.stub):
        return _unrun(question, "empty", "")
    needed = [(q, answers.get(q, exam.questions[q].stub)) for q in chain(exam.questions, name)]
    cells = [("setup", exam.setup if setup is None else setup)]
    cells += [(f"question {q}", text) for q, text in [*needed, (name, answer)]]
    programs, arrays = request(question.parts)
    plain = [(label, without_magics(text)) for label, text in cells]
    run = session.run(plain, programs, arrays, forbids=question.forbids, seconds=question.seconds)
    return judge(question, run, dict(cells))


def _unrun(question: ExamQuestion, status: str, message: str) -> Result:
    parts = tuple(PartResult(p.name, 0, p.points, p.description) for p in question.parts)
    return Result(question.id, question.title, status, parts, message)


def judge(question: ExamQuestion, run: Run, sources: Mapping[str, str]) -> Result:
    """Points for what a worker sent back."""
    if run.cells_error is not None:
        error = run.cells_error
        if error["builtin"] == "NotImplementedError":
            needed = error["cell"] and error["cell"] != f"question {question.id}"
            return _unrun(
                question,
                "empty",
                f"It builds on {error['cell']}, which is not answered yet." if needed else "",
            )
        status = "out-of-memory" if _is_memory(error) else "crashed"
        return _with_help(question, _unrun(question, status, _error_text(error, sources)), run)
    if len(run.lost) == len(question.parts) and not run.cases:
        reason = next(iter(run.lost.values()))
        return _with_help(question, _unrun(question, reason, _lost_text(reason, question.seconds)), run)
    judged = [_judge_part(question, p, run, sources) for p in range(len(question.parts))]
    statuses = [status for _, status in judged]
    parts = tuple(part for part, _ in judged)
    if all(status == "empty" for status in statuses):
        return _unrun(question, "empty", "")
    status = next((s for s in ("timeout", "out-of-memory", "crashed") if s in statuses), "ok")
    result = Result(question.id, question.title, status, parts)
    if result.points == result.max_points:
        return result
    return _with_help(question, result, run)


def _with_help(question: ExamQuestion, result: Result, run: Run) -> Result:
    printed = run.printed.strip().splitlines()
    more = [f"... {len(printed) - MAX_PRINTED_LINES} more lines"] if len(printed) > MAX_PRINTED_LINES else []
    shown = "\n".join([line[:200] for line in printed[:MAX_PRINTED_LINES]] + more)
    mistakes = recognize(question, run, result)
    return Result(
        result.question,
        result.title,
        result.status,
        result.parts,
        result.message,
        mistakes,
        question.hint,
        shown,
    )


def _judge_part(
    question: ExamQuestion, p: int, run: Run, sources: Mapping[str, str]
) -> tuple[PartResult, str]:
    part = question.parts[p]

    def lost(message: str, status: str = "ok") -> tuple[PartResult, str]:
        return PartResult(part.name, 0, part.points, part.description, message), status

    for c, case in enumerate(part.cases):
        where = _case_text(part, c)
        reply = run.cases.get((p, c))
        if reply is None:
            reason = run.lost.get(p, "crashed")
            return lost(f"{where}{_lost_text(reason, question.seconds)}", reason)
        header, values = reply
        refused = [name for name in question.forbids if name in _names(header.get("forbidden"))]
        if refused or run.forbidden:
            return lost(f"{where}{(refused or run.forbidden)[0]} is not allowed in this question.")
        if header.get("error") is not None:
            error = header["error"] if isinstance(header["error"], dict) else {}
            return lost(*_judge_error(error, where, sources))
        try:
            outputs = checked_outputs(unpack(header.get("value"), values))
        except ProtocolError as error:
            return lost(f"{where}the worker's reply cannot be read: {error}.", "crashed")
        if any(value is ... for value in outputs.values()):
            return lost("not answered yet.", "empty")
        changed = [name for name in _names(header.get("changed")) if name in case.plain_inputs()]
        found = _wrong(question, part, case, outputs, changed)
        if found is not None:
            return lost(f"{where}{found}.")
    return PartResult(part.name, part.points, part.points, part.description), "ok"


def _judge_error(error: dict[str, Any], where: str, sources: Mapping[str, str]) -> tuple[str, str]:
    kind = error.get("type")
    if error.get("builtin") == "NotImplementedError":
        return "not answered yet.", "empty"
    if kind == "UnsupportedValue":
        return (
            f"{where}the answer is {_clip(error.get('message'))}; it should be made of tensors, arrays, numbers.",
            "ok",
        )
    if kind == "MissingName":
        return f"{_sentence(_clip(error.get('message')))}.", "crashed"
    return f"{where}{_error_text(error, sources)}", "out-of-memory" if _is_memory(error) else "crashed"


def _wrong(
    question: ExamQuestion, part: ExamPart, case: Case, outputs: dict, changed: list[str]
) -> str | None:
    """What is wrong with the outputs of one case, in words."""
    for name, expected in case.expected.items():
        if name not in outputs:
            return f"the output {name!r} is missing"
        if isinstance(expected, Concealed):
            if not expected.equals(_scalar(outputs[name])):
                return f"{name} is not right"
            continue
        found = difference(expected, outputs[name], rtol=part.rtol, atol=part.atol, name=name)
        if found is not None:
            return found
    if changed and not part.may_change_inputs:
        return f"your code changes its input {changed[0]} in place; the caller's data must stay as they are"
    inputs = case.plain_inputs()
    for source in part.properties:
        try:
            told = compiled(source)(inputs, outputs)
        except (TypeError, ValueError, IndexError, KeyError, AttributeError, ArithmeticError) as error:
            told = (
                f"the reported values do not have the form asked for ({type(error).__name__}: {_clip(error)})"
            )
        if told is not None:
            return told.rstrip(".")
    return None


def _scalar(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def recognize(question: ExamQuestion, run: Run, result: Result) -> tuple[tuple[str, str], ...]:
    """The named mistakes that the answer equals in every case of every part, in the bank's order."""
    rows: dict[tuple[int, int], tuple[dict[str, Any], list[str]]] = {}
    for place, (header, values) in run.cases.items():
        if header.get("error") is not None:
            return ()
        try:
            rows[place] = checked_outputs(unpack(header.get("value"), values)), _names(header.get("changed"))
        except ProtocolError:
            return ()
    places = [(p, c) for p, part in enumerate(question.parts) for c in range(len(part.cases))]
    if any(place not in rows for place in places):
        return ()
    lost = {part.name for part in result.parts if part.points < part.max_points}
    prints = {
        (p, c): signature(question.parts[p], question.parts[p].cases[c], *rows[p, c]) for p, c in places
    }
    return tuple(
        (mistake.name, mistake.explanation)
        for mistake in question.mistakes
        if set(mistake.loses) == lost
        and all(
            _same(prints[p, c], mistake.signatures[question.parts[p].name][c], question.parts[p])
            for p, c in places
        )
    )


def _same(found: Any, stored: Any, part: ExamPart) -> bool:
    if isinstance(stored, Fingerprint):
        return isinstance(found, Fingerprint) and stored.matches(found, part.rtol, part.atol)
    return all(name in found and hidden.equals(_scalar(found[name])) for name, hidden in stored.items())


def _names(value: Any) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def _case_text(part: ExamPart, c: int) -> str:
    inputs = part.cases[c].plain_inputs()
    if not inputs:
        return ""
    told = [
        f"{name} {'x'.join(map(str, v.shape)) or 'a number'}"
        if isinstance(v, np.ndarray)
        else f"{name} {_clip(v, 30)}"
        for name, v in inputs.items()
    ]
    return f"case {c + 1} of {len(part.cases)} ({', '.join(told)}): "


def _clip(value: Any, size: int = 300) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= size else text[: size - 3] + "..."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _is_memory(error: Mapping[str, Any]) -> bool:
    message = str(error.get("message"))
    return error.get("builtin") == "MemoryError" or any(word in message for word in MEMORY_WORDS)


def _error_text(error: Mapping[str, Any], sources: Mapping[str, str]) -> str:
    kind, message = _clip(error.get("type"), 60), _clip(error.get("message"))
    if error.get("builtin") == "SystemExit":
        text = "your code called sys.exit"
    elif _is_memory(error):
        text = "your code asked for more memory than it may have"
    else:
        text = f"{kind}: {message}" if message else kind
    label, line = error.get("cell"), error.get("line")
    lines = sources.get(str(label), "").split("\n")
    if isinstance(line, int) and 1 <= line <= len(lines):
        text += f", in line {line} of the cell '# {label}': {lines[line - 1].strip()[:120]}"
    if error.get("builtin") == "NameError":
        text += (
            ". (check runs the cells marked '# setup' and '# question' only: what they use must be in them)"
        )
    return text


def _lost_text(reason: str, seconds: float) -> str:
    if reason == "timeout":
        return f"your code was stopped after {seconds:g} seconds; is there a loop that does not end?"
    if reason == "out-of-memory":
        return "your code asked for more memory than it may have."
    return "your code ended its own process (os._exit, or a crash of the interpreter)."
