"""``check("06.2")`` in a notebook: the cells as last run in this kernel, graded at the public seed.

``hint("06.2")`` shows the next hint for the first part that these cells lose.
"""

import atexit
import dataclasses
import re
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from autograder.authoring.source import mark_of, question_id
from autograder.judging.cases import CaseInputs, inputs_of
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam
from autograder.judging.fixtures import read_exam
from autograder.judging.hints import hints_for
from autograder.judging.notebook import collect
from autograder.judging.results import Result
from autograder.worker.session import Session


class UnknownQuestion(ValueError):
    """A name that no fixtures file near the notebook has; the message lists what there is."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class NotInNotebook(RuntimeError):
    """check was called outside a notebook."""


class Recorder:
    """The marked cells that a kernel ran, in order, including those that its history leaves out."""

    def __init__(self) -> None:
        self.runs = 0
        self.marked: list[str] = []

    def before_cell(self, info: Any) -> None:
        """Keep the source of a marked cell that is about to run."""
        self.runs += 1
        if mark_of(info.raw_cell) is not None:
            self.marked.append(info.raw_cell)

    def sources(self, shell: Any) -> list[str]:
        """Cells run before this package was imported are in the kernel's history only."""
        return [*shell.history_manager.input_hist_raw, *self.marked]


class ShownResult(Result):
    """A Result that was displayed already: it is not displayed again as the last value of its cell."""

    def case(self, number: int, part: str = "") -> CaseInputs:
        """The inputs of case ``number``, counted from 1, of the first part that was lost or of ``part``."""
        return inputs_of(self.__dict__["asked"], self, number, part)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if self.__dict__.get("shown_in") != _recorder.runs:
            self.__dict__["shown_in"] = _recorder.runs
            display({"text/plain": self.feedback, "text/html": self._repr_html_()}, raw=True)


def _shell() -> Any:
    """The running IPython, if there is one; IPython is not imported to find out."""
    ipython = sys.modules.get("IPython")
    return ipython and ipython.get_ipython()


_recorder = Recorder()
if _shell() is not None:
    _shell().events.register("pre_run_cell", _recorder.before_cell)
_session: Session | None = None
_tries: dict[tuple[str, str], set[str]] = {}


def _kit(name: str, start: Path) -> Exam:
    """The fixtures that hold question ``name``, looked for from the notebook's folder upwards."""
    known: list[str] = []
    seen = []
    for folder in [start, *start.parents]:
        near = [folder / "fixtures.json", *sorted(folder.glob("[0-9][0-9]_*/fixtures.json"))]
        for path in [*near, *sorted(folder.glob("exercises/[0-9][0-9]_*/fixtures.json"))]:
            if not path.is_file() or path in seen:
                continue
            seen.append(path)
            exam = read_exam(path.read_text(encoding="utf-8"), path.name)
            if name in exam.questions:
                return exam
            known += list(exam.questions)
        if known and re.fullmatch(r"\d\d_.*|exercises", folder.name) is None:
            break
    if not known:
        raise UnknownQuestion(
            f"no fixtures.json in {start} or above it: keep the notebook in its exercise's folder"
        )
    here = [q for q in known if q[:2] == name[:2]] or known
    close = get_close_matches(name, here, n=1, cutoff=0.3)
    meant = f"; did you mean {close[0]!r}?" if close else "."
    raise UnknownQuestion(f"there is no question {name!r}{meant} There are: {', '.join(sorted(here))}")


def _history() -> list[str]:
    shell = _shell()
    if shell is None:
        raise NotInNotebook(
            "check takes the cells of a running notebook; for a file use: "
            "python -m autograder grade exercises/NN_name notebook.ipynb"
        )
    return _recorder.sources(shell)


def _next_hints(exam: Exam, result: Result, tried: str) -> Result:
    """The result with one more hint for each different try that lost the same part first; none for no try."""
    lost = [part.name for part in result.parts if part.points < part.max_points]
    hints = hints_for(exam.questions[result.question], result.hinted, lost)
    tries = _tries.setdefault((result.question, result.hinted), set())
    if tried:
        tries.add(tried)
    shown = hints[: len(tries)] if tried else ()
    return dataclasses.replace(result, hints=shown, more_hints=len(hints) - len(shown))


def _graded(question: str) -> tuple[Exam, Result, str]:
    """The exam, the result of the marked cells as last run, and the text of the answer's cell."""
    global _session
    name = question_id(str(question))
    cells = collect(_history())
    exam = _kit(name, Path.cwd())
    if _session is None:
        _session = Session()
        atexit.register(_session.close)
    answers = {q: sources[-1] for q, sources in cells.answers.items()}
    result = evaluate(exam, name, cells.setup, answers, _session)
    if result.status == "missing":
        run_it = "has been run in this kernel: run it, then check again."
        message = f"No cell that begins with '# question {result.question}' {run_it}"
        result = dataclasses.replace(result, message=message)
    return exam, result, answers.get(name, "")


def check(question: str) -> Result:
    """Grade ``question`` (such as "06.2") from the marked cells as last run, and show the feedback."""
    exam, result, answer = _graded(question)
    if result.hinted:
        # what is said of a cause or by a mistake's name needs no hint, and none of it is a try at the formula
        result = _next_hints(exam, result, answer if result.hints else "")
    shown = ShownResult(**vars(result))
    shown.__dict__["asked"] = exam.questions[result.question]
    shown._ipython_display_()
    return shown


def hint(question: str) -> None:
    """Print one more hint for ``question``: for the first part that the cells as last run do not win."""
    exam, result, _ = _graded(question)
    lost = [part.name for part in result.parts if part.points < part.max_points]
    if not lost:
        print(f"Question {result.question} has all its points.")
        return
    asked = dataclasses.replace(result, hinted=lost[0])
    shown = len(_tries.get((result.question, lost[0]), ()))
    asked = _next_hints(exam, asked, f"asked after {shown}")
    print("\n".join(asked.hint_lines()))
    if not asked.more_hints:
        print("There are no more hints on this part.")
