"""The untrusted side: executes a student's cells and the programs that call them, and sends back values.

``python -m autograder.worker`` reads requests from its standard input and replies on a private copy of its
standard output; what the student's code prints goes to standard error. Where ``fork`` works (Linux), each
request runs in a fork of the warm process; elsewhere, or with the argument ``once``, a process answers one
request and ends. No expected value is ever in this process.
"""

import contextlib
import importlib
import linecache
import math
import os
import random
import sys
import threading
import traceback
import types
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, BinaryIO

import numpy as np
import torch

import autograder
from autograder.authoring.spec import compiled
from autograder.worker import messages
from autograder.worker.forbids import Watch
from autograder.worker.kernel import Kernel, provide
from autograder.worker.messages import Error, Request, read_message, write_message
from autograder.worker.student import MissingName, Student
from autograder.worker.values import UnsupportedValue, clean, pack, unpack

if sys.platform == "linux":
    import resource
if "confined" in sys.argv[1:]:
    from autograder.worker.confine import confine, end_others

CONFINED = "confined" in sys.argv[1:]
CAN_FORK = sys.platform == "linux" and "once" not in sys.argv[1:]


def _limit_memory(extra_bytes: int) -> None:
    if sys.platform == "linux":
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + extra_bytes, used + extra_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _Clock:
    """Processor time: so many seconds from each ``start``, and no more than ``in_all``.

    The kernel ends a process that used more. Load on the machine costs a student nothing.
    """

    def __init__(self, in_all: float):
        self.limit = math.ceil(process_time() + in_all) + 2

    def start(self, seconds: float) -> None:
        if CAN_FORK:
            allowed = min(math.ceil(process_time() + seconds), self.limit)
            resource.setrlimit(resource.RLIMIT_CPU, (allowed, self.limit))


def _describe(error: BaseException, labels: list[str], passed_over: Sequence[str]) -> Error:
    """Type, message and the line of the student's own cells that the error passed through.

    That is the last line in the answer, which is the last of the cells; if there is none, in another cell.
    A name that is missing may be one that a magic would have defined, which was passed over.
    """
    place: str = ""
    line: int | None = None
    passed: list[tuple[str, int | None]] = []
    if isinstance(error, SyntaxError) and error.filename in labels:
        place, line = str(error.filename), error.lineno
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename in labels:
            passed.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    if passed:
        place, line = ([step for step in passed if step[0] == labels[-1]] or passed)[-1]
    deeper = passed[-1][0] if passed and passed[-1][0] != place else ""
    try:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:  # a student's __str__ may do anything
        message = ""
    if passed_over and isinstance(error, NameError | MissingName):
        message += f"; magics do nothing here, such as {', '.join(dict.fromkeys(passed_over))}"
    kind = next((c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"), "Exception")
    name, told = (clean(str(text))[: messages.MAX_ERROR] for text in (type(error).__name__, message))
    return Error(name, kind, told, place, line if isinstance(line, int) else None, deeper)


def _execute(kernel: Kernel, label: str, source: str, namespace: dict[str, Any]) -> None:
    """Execute a cell; an import of the setup that fails is raised when the rest of that cell has run.

    What needs the name that was not imported is passed over as well.
    """
    failed: ImportError | None = None
    for code in kernel.codes(label, source, one_by_one=label == "setup"):
        try:
            kernel.run(code, namespace)
        except ImportError as error:
            if label != "setup":
                raise
            failed = failed or error
        except NameError:
            if failed is None:
                raise
    if failed is not None:
        raise failed


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not getattr(stream, "closed", True):
            stream.flush()


def answer(request: Request, arrays: list[np.ndarray], replies: BinaryIO) -> None:
    """Execute the cells, then every case of every part, with one reply for each."""
    _limit_memory(request.memory)
    clock = _Clock(request.seconds + request.part_seconds * len(request.parts))
    autograder.check = autograder.hint = lambda *arguments, **keywords: None
    writing = threading.Lock()

    def reply(message: messages.Message, values: Sequence[np.ndarray] = ()) -> None:
        with writing:
            write_message(replies, message, values)

    watch = Watch(request.forbids, request.withheld, lambda name: reply(messages.Forbidden(name=name)))
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    namespace = main.__dict__
    shell = provide(namespace)
    given: set[str] = set(namespace)
    labels = [label for label, _ in request.cells if not label.startswith(messages.SOLUTION)]
    clock.start(request.seconds)
    describe = partial(_describe, labels=labels, passed_over=shell.passed_over)
    cells = _run_cells(request.cells, namespace, given, labels, watch, describe)
    reply(cells)
    if cells.error is not None:
        return
    student = Student(namespace, given)
    for source, cases in request.parts:
        program = compiled(source)
        clock.start(request.part_seconds)
        for packed in cases:
            reply(*_run_case(program, student, packed, arrays, describe, watch))


def _run_cells(
    cells: Sequence[tuple[str, str]],
    namespace: dict[str, Any],
    given: set[str],
    labels: list[str],
    watch: Watch,
    describe: Callable[[BaseException], Error],
) -> messages.Cells:
    """Execute the cells; what one has defined when it stops is kept, and what is missing shows in its use.

    Nothing can be judged if the setup or the last cell, the answer, defines nothing: it has an error of
    syntax, or stops at once.
    """
    stopped: dict[str, Error] = {}
    kernel = Kernel()
    for number, (label, source) in enumerate(cells, 1):
        if label in labels:
            linecache.cache[label] = (len(source), None, source.splitlines(keepends=True), label)
        before = dict(namespace)
        try:
            with watch:
                _execute(kernel, label, source, namespace)
        except BaseException as error:  # sys.exit and KeyboardInterrupt are answers here too
            stopped[label] = describe(error)
            if (label == "setup" or number == len(cells)) and not _has_more(namespace, before):
                return messages.Cells(error=stopped[label], stopped=stopped)
        if number < len(cells):
            given |= set(namespace)
    return messages.Cells(error=None, stopped=stopped)


def _has_more(namespace: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a cell has defined a name, or given one another value."""
    changed = {name for name, value in namespace.items() if name not in before or before[name] is not value}
    return bool(changed - {"__builtins__"})


def _run_case(
    program: Callable,
    student: Student,
    packed: Any,
    arrays: list[np.ndarray],
    describe: Callable[[BaseException], Error],
    watch: Watch,
) -> tuple[messages.Case, list[np.ndarray]]:
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - a student's code may use the global generator
    torch.default_generator.manual_seed(0)  # torch.manual_seed keeps a note of each call
    before = unpack(packed, arrays)
    inputs = unpack(packed, arrays, tensor=lambda a: torch.from_numpy(a.copy()), array=np.copy)
    out: list[np.ndarray] = []
    try:
        with watch:
            outputs = program(student, inputs)
        value = pack(outputs, out)
        changed = [name for name in before if _packed(inputs[name]) != _packed(before[name])]
        reply = messages.Case(value=value, changed=changed)
        size = sum(a.nbytes for a in out)
        if size > messages.MAX_BODY:
            raise UnsupportedValue(f"a value of {size / 1e6:,.0f} MB")
    except BaseException as error:
        reply, out = messages.Case(error=describe(error)), []
    return reply, out


def _packed(value: Any) -> tuple[str, list[tuple]]:
    arrays: list[np.ndarray] = []
    text = repr(pack(value, arrays)).replace("'tensor'", "'array'")
    return text, [(a.dtype.str, a.shape, a.tobytes()) for a in arrays]


def _answer_and_flush(request: Request, arrays: list[np.ndarray], replies: BinaryIO) -> int:
    try:
        answer(request, arrays, replies)
        _flush()
    except BaseException:  # the fork must end here, whatever happened
        traceback.print_exc()
        return 70
    return 0


def _warm(names: list[str]) -> None:
    """Import what the exercise's setup cell imports, once for all forks; the cell reports what is missing."""
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def main() -> None:
    """Answer requests until there are no more."""
    requests, replies = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    torch.set_num_threads(1)
    if CONFINED:
        confine(*map(int, sys.argv[2:5]))
    write_message(replies, messages.Ready(version=messages.VERSION, forks=CAN_FORK))
    while (message := read_message(requests, Request)) is not None:
        request, arrays = message
        _warm(request.imports)
        ended = 0
        if CAN_FORK:
            child = os.fork()
            if not child:
                requests.close()
                os._exit(_answer_and_flush(request, arrays, replies))
            ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        else:
            answer(request, arrays, replies)
        _flush()
        if CONFINED:
            end_others()
        # read only now: the code that ran must not know the mark of its own end
        if (last := read_message(requests, messages.Mark)) is None:
            return
        mark = last[0].mark
        os.write(2, mark.encode())
        write_message(replies, messages.Done(ended=ended, mark=mark))
        if not CAN_FORK:
            return


if __name__ == "__main__":
    main()
