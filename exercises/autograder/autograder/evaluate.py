"""The one path from a student's cells to points: run in a worker, compared here."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.compare import Fingerprint, checked_outputs, difference
from autograder.conceal import Concealed
from autograder.exam import (
    Case,
    Exam,
    ExamPart,
    ExamQuestion,
    Mistake,
    chain,
    imported_modules,
    request,
    signature,
)
from autograder.notebook import same_code, without_magics
from autograder.protocol import ProtocolError, unpack
from autograder.results import PartResult, Result
from autograder.session import Run, Session
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
        return unrun(question, "missing", f"No cell begins with the line '# question {name}'.")
    if same_code(answer, question.stub):
        return unrun(question, "empty", "")
    needed = [(q, answers.get(q, exam.questions[q].stub)) for q in chain(exam.questions, name)]
    cells = [("setup", exam.setup if setup is None else setup)]
    cells += [(f"question {q}", text) for q, text in [*needed, (name, answer)]]
    programs, arrays = request(question.parts)
    plain = [(label, without_magics(text)) for label, text in cells]
    run = session.run(
        plain,
        programs,
        arrays,
        forbids=question.forbids,
        imports=imported_modules(exam.setup),
        seconds=question.seconds,
    )
    return judge(question, run, dict(cells))


def unrun(question: ExamQuestion, status: str, message: str) -> Result:
    """No points, for the reason that ``status`` and ``message`` give."""
    parts = tuple(PartResult(p.name, 0, p.points, p.description) for p in question.parts)
    return Result(question.id, question.title, status, parts, message)


def judge(question: ExamQuestion, run: Run, sources: Mapping[str, str]) -> Result:
    """Points for what a worker sent back."""
    if run.cells_error is not None:
        message, status = _judge_error(question, run.cells_error, "", sources)
        judged = unrun(question, status, message)
        return judged if status == "empty" else _with_help(question, judged, run)
    if len(run.lost) == len(question.parts) and not run.cases:
        reason = next(iter(run.lost.values()))
        return _with_help(question, unrun(question, reason, _lost_text(reason, question.seconds)), run)
    parts, statuses = zip(*(_judge_part(question, p, run, sources) for p in range(len(question.parts))))
    if all(status == "empty" for status in statuses):
        return unrun(question, "empty", parts[0].message)
    status = next((s for s in ("timeout", "out-of-memory", "crashed") if s in statuses), "ok")
    result = Result(question.id, question.title, status, parts)
    if result.points == result.max_points:
        return result
    return _with_help(question, result, run)


def _with_help(question: ExamQuestion, result: Result, run: Run) -> Result:
    printed = run.printed.strip().splitlines()
    more = [f"... {len(printed) - MAX_PRINTED_LINES} more lines"] if len(printed) > MAX_PRINTED_LINES else []
    shown = "\n".join([line[:200] for line in printed[:MAX_PRINTED_LINES]] + more)
    parts, mistakes = recognize(question, run, result.parts)
    return Result(
        result.question, result.title, result.status, parts, result.message, mistakes, question.hint, shown
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
            return lost(*_judge_error(question, header["error"], where, sources))
        try:
            outputs = checked_outputs(unpack(header.get("value"), values))
        except ProtocolError as error:
            return lost(f"{where}the worker's reply cannot be read: {error}.", "crashed")
        if any(value is ... for value in outputs.values()):
            return lost("", "empty")
        changed = [name for name in _names(header.get("changed")) if name in case.plain_inputs()]
        found = _wrong(question, part, case, outputs, changed)
        if found is not None:
            return lost(f"{where}{found}.")
    return PartResult(part.name, part.points, part.points, part.description), "ok"


def _judge_error(
    question: ExamQuestion, error: dict[str, Any], where: str, sources: Mapping[str, str]
) -> tuple[str, str]:
    """The message and the status for an exception."""
    if error["builtin"] == "NotImplementedError":
        needed = error["cell"].startswith("question ") and error["cell"] != f"question {question.id}"
        return f"It builds on {error['cell']}, which is not answered yet." if needed else "", "empty"
    if error["type"] == "UnsupportedValue":
        told = f"the answer is {_clip(error['message'])}; it should be made of tensors, arrays, numbers"
        return f"{where}{told}.", "ok"
    if error["type"] == "MissingName":
        return f"{_sentence(_clip(error['message']))}.", "crashed"
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
        except Exception as error:  # the outputs may be of any form; a property is written for the right one
            told = (
                f"the reported values do not have the form asked for ({type(error).__name__}: {_clip(error)})"
            )
        if told is not None:
            return told.rstrip(".")
    return None


def _scalar(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def recognize(
    question: ExamQuestion, run: Run, parts: tuple[PartResult, ...]
) -> tuple[tuple[PartResult, ...], tuple[tuple[str, str], ...]]:
    """The named mistakes that the answer equals in every case of every part, in the bank's order.

    Where there is none, a lost part whose every case equals a mistake says so.
    """
    lost = {part.name for part in parts if part.points < part.max_points}
    equal = {
        m.name: {p.name for i, p in enumerate(question.parts) if _equals(question, i, run, m)}
        for m in question.mistakes
    }
    full = [m for m in question.mistakes if set(m.loses) == lost and len(equal[m.name]) == len(parts)]
    if full:
        return parts, tuple((m.name, m.explanation) for m in full)
    told = []
    for part in parts:
        found = [m for m in question.mistakes if part.name in lost & equal[m.name] & set(m.loses)]
        addition = f" This equals {found[0].explanation}." if found else ""
        told.append(dataclasses.replace(part, message=part.message + addition))
    return tuple(told), ()


def _equals(question: ExamQuestion, p: int, run: Run, mistake: Mistake) -> bool:
    """Whether every case of one part came out as the mistake makes it."""
    part = question.parts[p]
    for c, (case, stored) in enumerate(zip(part.cases, mistake.signatures[part.name], strict=True)):
        header, values = run.cases.get((p, c), ({"error": True}, []))
        if header.get("error") is not None:
            return False
        try:
            outputs = checked_outputs(unpack(header.get("value"), values))
        except ProtocolError:
            return False
        if not _same(signature(part, case, outputs, _names(header.get("changed"))), stored, part):
            return False
    return True


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
    return error["builtin"] == "MemoryError" or any(word in error["message"] for word in MEMORY_WORDS)


def _error_text(error: Mapping[str, Any], sources: Mapping[str, str]) -> str:
    kind, message = _clip(error["type"], 60), _clip(error["message"])
    if error["builtin"] == "SystemExit":
        text = "your code called sys.exit"
    elif _is_memory(error):
        text = "your code asked for more memory than it may have"
    else:
        text = f"{kind}: {message}" if message else kind
    label, line = error["cell"], error["line"]
    lines = sources.get(label, "").split("\n")
    if line is not None and 1 <= line <= len(lines):
        text += f", in line {line} of the cell '# {label}': {lines[line - 1].strip()[:120]}"
    if error["builtin"] == "NameError":
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
