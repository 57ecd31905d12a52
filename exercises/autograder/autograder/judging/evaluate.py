"""The one path from a student's cells to points: run in a worker, compared here."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.authoring.source import without_magics
from autograder.authoring.spec import WITHHELD, Question
from autograder.judging import causes, wording
from autograder.judging.conceal import Concealed
from autograder.judging.exam import Case, Exam, ExamPart, ExamQuestion, chain, imported_modules, request
from autograder.judging.hints import hints_for
from autograder.judging.needs import at_fault, better, builds_on, look_there, undefined
from autograder.judging.notebook import MAX_CELL, same_code
from autograder.judging.outputs import misbehavior, output_text, wrong_output
from autograder.judging.recognize import Recognized, recognize
from autograder.judging.relations import outcomes_of, remarks
from autograder.judging.results import PartResult, Result, presentable
from autograder.judging.stops import Stops
from autograder.judging.wording import clip, lost_status, lost_text
from autograder.worker.messages import SOLUTION, Error
from autograder.worker.session import Run, Session

MAX_PRINTED_LINES = 20
MISSING = "The cell does not define"
TOGETHER = "It earns its points together with"


@dataclass(frozen=True)
class Verdict:
    """What became of a case or part: its status, what is wrong, and in which case first.

    ``differs`` is true where outputs are wrong or missing. ``cause`` is what has nothing to do with the
    formula, such as a dtype; verdicts with the same ``key`` have one cause.
    """

    status: str = "ok"
    text: str = ""
    differs: bool = False
    first: int = 0
    cause: str = ""
    key: str = ""

    @property
    def won(self) -> bool:
        """Whether nothing is wrong."""
        return self.status == "ok" and not self.text


def evaluate(
    exam: Exam,
    name: str,
    setup: str | None,
    answers: Mapping[str, str],
    session: Session,
    known: dict[str, Result] | None = None,
    advise: bool = True,
) -> Result:
    """Grade question ``name``; ``answers`` are the sources of the student's marked cells by question.

    It stands alone: an answer that builds on others and has not all its points after the student's own is
    graded once more after the exam's solutions of them, if the exam has any, and the better result counts.
    ``known`` are results for the same answers. A question that the answer builds on is added to them when
    its result is needed, to say whether the mistake may lie there. Without ``advise`` only the first
    difference of each part is said, which takes less time.
    """
    question = exam.questions[name]
    answer = answers.get(name)
    if answer is None:
        return unrun(question, "missing", f"No cell begins with the line '# question {name}'.")
    if len(answer) > MAX_CELL:
        return unrun(question, "unreadable", _too_long(f"question {name}"))
    if same_code(answer, question.stub):
        return unrun(question, "empty", "")
    return _Asking(exam, question, setup, answers, session, {} if known is None else known, advise).result()


@dataclass(frozen=True)
class _Asking:
    """A question that is answered, with what ``evaluate`` got."""

    exam: Exam
    question: ExamQuestion
    setup: str | None
    answers: Mapping[str, str]
    session: Session
    known: dict[str, Result]
    advise: bool

    def result(self) -> Result:
        """The result after the student's own answers, or after our solutions of them where that is better."""
        exam, stubs = self.exam, self.stubs
        needed = {q: self.answers.get(q, stub) for q, stub in stubs.items()}
        own = self.after(needed)
        if not needed or own.points == own.max_points:
            return own
        if exam.solutions:
            if all(same_code(text, exam.solutions[q]) for q, text in needed.items()):
                return own
            mended = self.after({q: exam.solutions[q] for q in needed}, SOLUTION)
            return better(own, mended, {q: self.known_result(q) for q in needed} if self.advise else {})
        if not self.advise or own.mistakes or own.status == "empty":
            return own
        if own.message:
            told = at_fault(own, needed, self.known_result)
        else:
            told = look_there(builds_on(self.answers[self.question.id], needed, stubs), self.known_result)
        return dataclasses.replace(own, message=presentable(told)) if told else own

    @property
    def stubs(self) -> dict[str, str]:
        """The unanswered cells of the questions that this one builds on."""
        return {q: self.exam.questions[q].stub for q in chain(self.exam.questions, self.question.id)}

    def after(self, needed: Mapping[str, str], label: str = "question ") -> Result:
        """The result of the answer after the setup cell and these cells of earlier questions."""
        name = self.question.id
        cells = [("setup", self.exam.setup if self.setup is None else self.setup)]
        cells += [(f"{label}{q}", text) for q, text in needed.items()]
        cells.append((f"question {name}", self.answers[name]))
        for marked, text in cells:
            if len(text) > MAX_CELL:
                return unrun(self.question, "unreadable", _too_long(marked))
        run = run_cells(self.exam, self.question, cells, self.session)
        return judge(self.question, run, dict(cells), self.stubs, self.advise)

    def known_result(self, name: str) -> Result:
        """The result of another question for the same answers."""
        if name not in self.known:
            self.known[name] = evaluate(self.exam, name, self.setup, self.answers, self.session, self.known)
        return self.known[name]


def run_cells(exam: Exam, question: ExamQuestion, cells: Sequence[tuple[str, str]], session: Session) -> Run:
    """What a worker sends back for a question's parts after these cells."""
    programs, arrays = request(question.parts)
    return session.run(
        [(label, without_magics(text)) for label, text in cells],
        programs,
        arrays,
        forbids=question.forbids,
        uses=question.uses,
        imports=imported_modules(exam.setup),
        seconds=question.seconds,
    )


def _too_long(label: str) -> str:
    return f"The cell '# {label}' has more than {MAX_CELL:,} characters; it cannot be read."


def unrun(question: Question | ExamQuestion, status: str, message: str) -> Result:
    """No points, for the reason that ``status`` and ``message`` give."""
    parts = tuple(PartResult(p.name, 0, p.points, p.description) for p in question.parts)
    return Result(question.id, question.title, status, parts, presentable(message))


def judge(
    question: ExamQuestion, run: Run, sources: Mapping[str, str], stubs: Mapping[str, str], advise: bool
) -> Result:
    """Points for what a worker sent back; ``stubs`` are those of the questions that it builds on."""
    judging = _Judging(question, run, sources, stubs)
    if run.cells_error is not None:
        verdict = judging.error(run.cells_error)
        judged = unrun(question, verdict.status, verdict.text)
        return judged if verdict.status == "empty" else _with_help(question, judged, run, sources, False)
    if len(run.lost) == len(question.parts) and not run.cases:
        reason = next(iter(run.lost.values()))
        told = lost_text(reason, question.seconds)
        return _with_help(question, unrun(question, lost_status(reason), told), run, sources, False)
    found = judging.parts()
    statuses = [verdict.status for verdict in found]
    if all(status == "empty" for status in statuses):
        return unrun(question, "empty", found[0].text)
    lost = {part.name for part, verdict in zip(question.parts, found, strict=True) if not verdict.won}
    recognized = recognize(question, run, lost) if lost and advise else Recognized()
    if advise and not recognized.sure:
        found = [judging.remarked(p, verdict) for p, verdict in enumerate(found)]
    parts = _told_once(question, found, recognized.parts)
    status = next((s for s in ("timeout", "out-of-memory", "crashed") if s in statuses), "ok")
    status = judging.stops.status if status == "ok" else status
    result = Result(
        question.id, question.title, status, parts, judging.stops.message, mistakes=recognized.mistakes
    )
    result = dataclasses.replace(result, passed_over=presentable(judging.stops.passed_over))
    hints = not recognized.sure and not next((verdict.cause for verdict in found if not verdict.won), "")
    return _with_help(question, result, run, sources, hints) if lost else result


def _told_once(
    question: ExamQuestion, judged: list[Verdict], recognized: Mapping[str, str]
) -> tuple[PartResult, ...]:
    """The parts' results; where several parts have the same message, only the first shows it."""
    results: list[PartResult] = []
    first: dict[str, str] = {}
    for p, (part, verdict) in enumerate(zip(question.parts, judged, strict=True)):
        key = verdict.key or verdict.text
        text, where = verdict.text, "" if verdict.won else _where(question.parts[p], verdict)
        told = f"{where}{text}"
        if verdict.status == "empty":
            told = text or "Not answered yet."
        elif not verdict.won and first.setdefault(key, part.name) != part.name:
            told = f"The same as in {first[key]!r}."
        if part.name in recognized and not text.startswith(TOGETHER):
            told = f"{told} {recognized[part.name]}"
        points = part.points if verdict.won else 0
        results.append(PartResult(part.name, points, part.points, part.description, presentable(told)))
    return tuple(results)


def _where(part: ExamPart, verdict: Verdict) -> str:
    """The case that a message is about."""
    if verdict.text.startswith((MISSING, TOGETHER)) or verdict.status == "empty":
        return ""
    return wording.case_text(part.cases[verdict.first].plain_inputs(), verdict.first, len(part.cases))


def _with_help(
    question: ExamQuestion, result: Result, run: Run, sources: Mapping[str, str], hints: bool
) -> Result:
    """The result with what the code printed and, if ``hints`` are of use, the first one on what is lost."""
    printed = [presentable(line) for line in run.printed.strip().splitlines()]
    more = [f"... {len(printed) - MAX_PRINTED_LINES} more lines"] if len(printed) > MAX_PRINTED_LINES else []
    shown = "\n".join([line[:200] for line in printed[:MAX_PRINTED_LINES]] + more)
    message = result.message
    if not message and not result.mistakes:
        message = wording.changed_arguments(question.stub, sources.get(f"question {question.id}", ""))
    lost = [part.name for part in result.parts if part.points < part.max_points]
    return dataclasses.replace(
        result,
        message=message,
        hinted=lost[0],
        hints=hints_for(question, lost[0], lost)[:1] if hints else (),
        printed=shown,
    )


@dataclass(frozen=True)
class _Judging:
    """The judgment of what a worker sent back for one question."""

    question: ExamQuestion
    run: Run
    sources: Mapping[str, str]
    stubs: Mapping[str, str]

    @property
    def stops(self) -> Stops:
        """The cells that ended early."""
        return Stops(self.run.stopped, self.sources, f"question {self.question.id}")

    def parts(self) -> list[Verdict]:
        """What became of each part; a right one is lost with an earlier part that it requires.

        Its properties may be long computations, and are then left out.
        """
        found: list[Verdict] = []
        won: set[str] = set()
        for p, part in enumerate(self.question.parts):
            lost = [name for name in part.requires if name not in won]
            verdict = self.part(p, properties=not lost)
            if verdict.won and lost:
                verdict = Verdict(text=f"{TOGETHER} {' and '.join(map(repr, lost))}.")
            if verdict.won:
                won.add(part.name)
            found.append(verdict)
        return found

    def part(self, p: int, *, properties: bool) -> Verdict:
        """What is wrong in the first case in which a part is lost."""
        part = self.question.parts[p]
        part = part if properties else dataclasses.replace(part, properties=())
        for c, case in enumerate(part.cases):
            if not (verdict := self.case(part, case, (p, c))).won:
                return dataclasses.replace(verdict, first=c)
        return Verdict()

    def remarked(self, p: int, verdict: Verdict) -> Verdict:
        """The verdict on a part with what holds of all its cases."""
        if verdict.won or not verdict.differs:
            return verdict
        part, c = self.question.parts[p], verdict.first
        if part.is_concealed:
            return dataclasses.replace(self.case(part, part.cases[c], (p, c), advise=True), first=c)
        won = [self.case(part, case, (p, i)).won for i, case in enumerate(part.cases)]
        more = remarks(outcomes_of(part, self.run, p), won, c)
        text = f"{verdict.text.rstrip('.')}. {more}" if more else verdict.text
        return dataclasses.replace(verdict, text=text)

    def case(self, part: ExamPart, case: Case, place: tuple[int, int], *, advise: bool = False) -> Verdict:
        """What became of one case; ``advise`` tries what may have become of a value that is hidden."""
        question, reply = self.question, self.run.cases.get(place)
        if reply is None:
            reason = self.run.lost.get(place[0], "crashed")
            return Verdict(lost_status(reason), lost_text(reason, question.seconds), cause=reason)
        refused = [name for name in (*question.forbids, *WITHHELD) if name in reply.forbidden]
        if refused or self.run.forbidden:
            name = (refused or self.run.forbidden)[0]
            return Verdict(text=causes.forbidden(name, reply.error), cause="forbidden", key=name)
        if reply.error is not None:
            return dataclasses.replace(self.error(reply.error), differs=True)
        if any(value is ... for value in reply.outputs.values()):
            return Verdict("empty")
        changed = [name for name in reply.changed if name in case.plain_inputs()]
        if changed and not part.may_change_inputs:
            return Verdict(text=causes.changed(changed[0], self.answer), cause="changed", key="changed")
        if name := wrong_output(part, case, reply.outputs):
            told = self._advice(name, case.expected, reply.outputs) if advise else ""
            return self._different(part, case, reply.outputs, name, told)
        misbehaved = misbehavior(part, case, reply.outputs, [])
        cause = "form" if misbehaved.startswith(causes.UNREADABLE) else ""
        return Verdict(text=f"{misbehaved}." if misbehaved else "", cause=cause)

    @property
    def answer(self) -> str:
        """The source of the question's own cell."""
        return self.sources.get(f"question {self.question.id}", "")

    def _different(
        self, part: ExamPart, case: Case, outputs: dict[str, Any], name: str, told: str
    ) -> Verdict:
        """What is said of the first output that is not the expected one; ``told`` of a hidden one."""
        text = told or output_text(part, case, outputs, name)
        if isinstance(case.expected[name], Concealed):
            return Verdict(text=f"{text}.", differs=True, cause=causes.of_hidden(text))
        given = outputs.get(name)
        cause, to_do = causes.of_output(name, case.expected[name], given, part.rtol, part.atol)
        to_do = causes.gradients(self.answer) if cause == "gradient" else to_do
        text += f". {wording.sentence(to_do)}" if to_do else ""
        return Verdict(text=f"{text.rstrip('.')}.", differs=True, cause=cause)

    def error(self, error: Error) -> Verdict:
        """The status and the message for an exception; only one in the student's code is a crash."""
        return dataclasses.replace(self._error(error), cause="error", key=causes.of_error(error))

    def _error(self, error: Error) -> Verdict:
        if wording.is_stub(error):
            cell = error.deeper or error.cell
            needed = cell.startswith("question ") and cell != f"question {self.question.id}"
            return Verdict("empty", f"It builds on {cell}, which is not answered yet." if needed else "")
        if not error.cell and "ellipsis" in error.message:
            return Verdict("empty")
        if error.type == "ProtocolError":
            return Verdict("crashed", f"{clip(error.message)}.")
        if error.type == "UnsupportedValue":
            told = f"the answer is {clip(error.message)}; it should be made of tensors, arrays, numbers"
            return Verdict(text=f"{told}.")
        if error.type == "MissingName":
            told = wording.sentence(self.stops.absent(clip(error.message)))
            return Verdict("empty") if self.stops.is_open else Verdict(text=f"{told}.")
        if missing := undefined(error, self.stubs):
            name, owner = missing
            if same_code(self.sources.get(f"question {owner}", ""), self.stubs[owner]):
                return Verdict("empty", f"It builds on question {owner}, which is not answered yet.")
            how = self.stops.how(f"question {owner}")
            told = f"question {owner} should define {name}, and its cell {how or 'does not'}"
            return Verdict("crashed", wording.error_text(error, self.sources, told))
        if wording.is_memory(error):
            return Verdict("out-of-memory", wording.error_text(error, self.sources))
        advice = self.stops.advice(error)
        return Verdict("crashed" if error.cell else "ok", wording.error_text(error, self.seen(), *advice))

    def seen(self) -> dict[str, str]:
        """What the student has read of the question, and the cells, the answer last."""
        shown = [self.question.stub, *self.question.hints]
        for part in self.question.parts:
            shown += [part.description, *part.hints, *part.cases[0].plain_inputs(), *part.cases[0].expected]
        return {"": " ".join(shown), **self.sources}

    def _advice(self, name: str, expected: Mapping[str, Any], outputs: dict[str, Any]) -> str:
        """What is said of a hidden value that is not right, and which of its part are not right either."""
        if not isinstance(expected[name], Concealed) or name not in outputs:
            return ""
        others = {
            other: hidden
            for (p, c), reply in self.run.cases.items()
            for other, hidden in self.question.parts[p].cases[c].expected.items()
            if isinstance(hidden, Concealed) and other != name and not hidden.equals(reply.outputs.get(other))
        }
        told = f"{name} {expected[name].advice(outputs[name], others)}"
        also = [k for k, v in expected.items() if k != name and k in outputs and not v.equals(outputs[k])]
        if not also:
            return told
        return f"{told}; {' and '.join(also)} {'is' if len(also) == 1 else 'are'} not right either"
