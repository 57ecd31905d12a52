"""The one path from a student's cells to points: run in a worker, compared here."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from autograder.authoring.source import without_magics
from autograder.authoring.spec import WITHHELD, Question, compiled
from autograder.judging import wording
from autograder.judging.compare import Fingerprint, Signature, difference, entries
from autograder.judging.conceal import Concealed
from autograder.judging.exam import (
    Case,
    Concealing,
    Exam,
    ExamPart,
    ExamQuestion,
    Mistake,
    chain,
    imported_modules,
    request,
    signature,
)
from autograder.judging.notebook import MAX_CELL, same_code
from autograder.judging.results import PartResult, Result, presentable
from autograder.judging.wording import clip, lost_status, lost_text
from autograder.worker.messages import Error
from autograder.worker.session import Answer, Run, Session

MAX_PRINTED_LINES = 20
MAX_REPORTED = 100_000
MAX_TOLD = 600
MISSING = "The cell does not define"
TOGETHER = "It earns its points together with"
RIGHT = ("ok", "", "")


def evaluate(
    exam: Exam, name: str, setup: str | None, answers: Mapping[str, str], session: Session
) -> Result:
    """Grade question ``name``; ``answers`` are the sources of the student's marked cells by question."""
    question = exam.questions[name]
    answer = answers.get(name)
    if answer is None:
        return unrun(question, "missing", f"No cell begins with the line '# question {name}'.")
    if len(answer) > MAX_CELL:
        return unrun(question, "unreadable", _too_long(f"question {name}"))
    if same_code(answer, question.stub):
        return unrun(question, "empty", "")
    needed = [(q, answers.get(q, exam.questions[q].stub)) for q in chain(exam.questions, name)]
    cells = [("setup", exam.setup if setup is None else setup)]
    cells += [(f"question {q}", text) for q, text in [*needed, (name, answer)]]
    for label, text in cells:
        if len(text) > MAX_CELL:
            return unrun(question, "unreadable", _too_long(label))
    programs, arrays = request(question.parts)
    plain = [(label, without_magics(text)) for label, text in cells]
    run = session.run(
        plain,
        programs,
        arrays,
        forbids=question.forbids,
        uses=question.uses,
        imports=imported_modules(exam.setup),
        seconds=question.seconds,
    )
    return judge(question, run, dict(cells))


def _too_long(label: str) -> str:
    return f"The cell '# {label}' has more than {MAX_CELL:,} characters; it cannot be read."


def unrun(question: Question | ExamQuestion, status: str, message: str) -> Result:
    """No points, for the reason that ``status`` and ``message`` give."""
    parts = tuple(PartResult(p.name, 0, p.points, p.description) for p in question.parts)
    return Result(question.id, question.title, status, parts, presentable(message))


def judge(question: ExamQuestion, run: Run, sources: Mapping[str, str]) -> Result:
    """Points for what a worker sent back."""
    if run.cells_error is not None:
        status, message = _judge_error(question, run.cells_error, sources)
        judged = unrun(question, status, message)
        return judged if status == "empty" else _with_help(question, judged, run, sources)
    if len(run.lost) == len(question.parts) and not run.cases:
        reason = next(iter(run.lost.values()))
        told = lost_text(reason, question.seconds)
        return _with_help(question, unrun(question, lost_status(reason), told), run, sources)
    found = _judge_parts(question, run, sources)
    statuses = [status for status, _, _ in found]
    if all(status == "empty" for status in statuses):
        return unrun(question, "empty", found[0][2])
    parts = _told_once(question, found)
    status = next((s for s in ("timeout", "out-of-memory", "crashed") if s in statuses), "ok")
    result = Result(question.id, question.title, status, parts)
    if result.points == result.max_points:
        return result
    return _with_help(question, result, run, sources)


def _judge_parts(question: ExamQuestion, run: Run, sources: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """What ``_judge_part`` says of each part; a right one is lost with an earlier part that it requires.

    Its properties may be long computations, and are then left out.
    """
    found: list[tuple[str, str, str]] = []
    won: set[str] = set()
    for p, part in enumerate(question.parts):
        lost = [name for name in part.requires if name not in won]
        judged = _judge_part(question, p, run, sources, properties=not lost)
        if judged == RIGHT and lost:
            judged = ("ok", "", f"{TOGETHER} {' and '.join(map(repr, lost))}.")
        if judged == RIGHT:
            won.add(part.name)
        found.append(judged)
    return found


def _told_once(question: ExamQuestion, judged: list[tuple[str, str, str]]) -> tuple[PartResult, ...]:
    """The parts' results; where several parts have the same message, only the first shows it."""
    results: list[PartResult] = []
    first: dict[str, str] = {}
    for part, (status, where, text) in zip(question.parts, judged, strict=True):
        won = status == "ok" and not text
        told = f"{where}{text}"
        if status == "empty":
            told = text or "Not answered yet."
        elif not won and first.setdefault(text, part.name) != part.name:
            told = f"The same as in {first[text]!r}."
        points = part.points if won else 0
        results.append(PartResult(part.name, points, part.points, part.description, presentable(told)))
    return tuple(results)


def _with_help(question: ExamQuestion, result: Result, run: Run, sources: Mapping[str, str]) -> Result:
    printed = [presentable(line) for line in run.printed.strip().splitlines()]
    more = [f"... {len(printed) - MAX_PRINTED_LINES} more lines"] if len(printed) > MAX_PRINTED_LINES else []
    shown = "\n".join([line[:200] for line in printed[:MAX_PRINTED_LINES]] + more)
    parts, mistakes = recognize(question, run, result.parts)
    message = result.message
    if not message and not mistakes:
        message = wording.changed_arguments(question.stub, sources.get(f"question {question.id}", ""))
        if not message and question.needs:
            message = f"It builds on question {' and '.join(question.needs)}: is that answered correctly?"
    hinted = next(part.name for part in parts if part.points < part.max_points)
    return dataclasses.replace(
        result,
        parts=parts,
        message=message,
        mistakes=mistakes,
        hinted=hinted,
        hints=question.hints_on(hinted)[:1],
        printed=shown,
    )


def _judge_part(
    question: ExamQuestion, p: int, run: Run, sources: Mapping[str, str], *, properties: bool = True
) -> tuple[str, str, str]:
    """The status of a part, the case in which it is lost, and why; a part that is won is RIGHT."""
    part = question.parts[p]
    if not properties:
        part = dataclasses.replace(part, properties=())
    for c, case in enumerate(part.cases):
        status, text = _judge_case(question, part, case, (p, c), run, sources)
        if status == "ok" and not text:
            continue
        named = text.startswith(MISSING) or status == "empty"
        return status, "" if named else wording.case_text(case.plain_inputs(), c, len(part.cases)), text
    return RIGHT


def _judge_case(
    question: ExamQuestion,
    part: ExamPart,
    case: Case,
    place: tuple[int, int],
    run: Run,
    sources: Mapping[str, str],
) -> tuple[str, str]:
    """The status of one case, and what is wrong with it."""
    reply = run.cases.get(place)
    if reply is None:
        reason = run.lost.get(place[0], "crashed")
        return lost_status(reason), lost_text(reason, question.seconds)
    refused = [name for name in (*question.forbids, *WITHHELD) if name in reply.forbidden]
    if refused or run.forbidden:
        return "ok", f"{(refused or run.forbidden)[0]} is not allowed in this question."
    if reply.error is not None:
        return _judge_error(question, reply.error, sources)
    if any(value is ... for value in reply.outputs.values()):
        return "empty", ""
    changed = [name for name in reply.changed if name in case.plain_inputs()]
    found = wrong_outputs(part, case, reply.outputs, changed)
    return "ok", "" if found is None else f"{found}."


def _judge_error(question: ExamQuestion, error: Error, sources: Mapping[str, str]) -> tuple[str, str]:
    """The status and the message for an exception."""
    if wording.is_stub(error):
        needed = error.cell.startswith("question ") and error.cell != f"question {question.id}"
        return "empty", f"It builds on {error.cell}, which is not answered yet." if needed else ""
    if not error.cell and "ellipsis" in error.message:
        return "empty", ""
    if error.type == "ProtocolError":
        return "crashed", f"{clip(error.message)}."
    if error.type == "UnsupportedValue":
        told = f"the answer is {clip(error.message)}; it should be made of tensors, arrays, numbers"
        return "ok", f"{told}."
    if error.type == "MissingName":
        return "crashed", f"{wording.sentence(clip(error.message))}."
    return "out-of-memory" if wording.is_memory(error) else "crashed", wording.error_text(error, sources)


def wrong_outputs(part: ExamPart, case: Case, outputs: dict[str, Any], changed: list[str]) -> str | None:
    """What is wrong with the outputs of one case, in words."""
    for name, expected in case.expected.items():
        if name not in outputs:
            return f"the output {name!r} is missing"
        if isinstance(expected, Concealed):
            if not expected.equals(outputs[name]):
                return f"{name} {expected.remark(outputs[name])}"
            continue
        found = difference(expected, outputs[name], rtol=part.rtol, atol=part.atol, name=name)
        if found is not None:
            return found
    if changed and not part.may_change_inputs:
        return f"your code changes its input {changed[0]} in place; the caller's data must stay as they are"
    inputs = case.plain_inputs()
    if part.properties and entries(outputs) > MAX_REPORTED:
        return f"the reported values are more than {MAX_REPORTED:,} numbers"
    for source in part.properties:
        try:
            told = compiled(source)(inputs, outputs)
        except Exception as error:  # the outputs may be of any form; a property is written for the right one
            told = (
                f"the reported values do not have the form asked for ({type(error).__name__}: {clip(error)})"
            )
        if told is not None:
            return clip(told, MAX_TOLD).rstrip(".")
    return None


def recognize(
    question: ExamQuestion, run: Run, parts: tuple[PartResult, ...]
) -> tuple[tuple[PartResult, ...], tuple[tuple[str, str], ...]]:
    """The named mistakes that the answer equals in every case of every part, in the bank's order.

    If there is none, each lost part whose every case equals a mistake says so.
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
        if part.message.startswith(TOGETHER):
            found = []
        addition = f" This equals {found[0].explanation}." if found else ""
        told.append(dataclasses.replace(part, message=part.message + addition))
    return tuple(told), ()


def _equals(question: ExamQuestion, p: int, run: Run, mistake: Mistake) -> bool:
    """Whether every case of one part gives the same outputs as the mistake."""
    part = question.parts[p]
    for c, (case, stored) in enumerate(zip(part.cases, mistake.signatures[part.name], strict=True)):
        answer = run.cases.get((p, c))
        if answer is None or answer.error is not None or not _same(part, case, answer, stored):
            return False
    return True


def _same(part: ExamPart, case: Case, answer: Answer, stored: Signature) -> bool:
    if isinstance(stored, Concealing):
        given = answer.outputs
        return all(name in given and hidden.equals(given[name]) for name, hidden in stored.concealed.items())
    if not isinstance(stored, Fingerprint):
        raise TypeError(stored)
    return stored.matches(signature(part, case, answer.outputs, answer.changed), part.rtol, part.atol)
