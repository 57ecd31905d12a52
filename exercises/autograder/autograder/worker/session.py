"""Requests to workers under limits, and their checked replies; a new worker where code ended the old one."""

import contextlib
import math
import queue
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import numpy as np

from autograder.authoring.spec import WITHHELD
from autograder.worker import messages
from autograder.worker.launcher import Launcher, PlainLauncher
from autograder.worker.messages import Error, Reply, Request, read_message, write_message
from autograder.worker.values import ProtocolError, clean, unpack

_REPLY: Any = Reply
# a worker that forks counts processor time; the clock on the wall stops code that only waits
WAITING = 5
CLOSE_SECONDS = 5.0
NOT_READY = "not ready after"


def hurried(seconds: float) -> float:
    """What is left of a limit of time for a part after another one that ran out of it."""
    return min(seconds, max(1.0, seconds / 5))


class WorkerFailed(RuntimeError):
    """The worker could not be started or spoken with: a fault of this machine, not of a student."""


@dataclass(frozen=True)
class Limits:
    """What one question may use, and what is kept of what it sends back and prints.

    ``wall`` is how many seconds all questions of a submission may take on the clock on the wall.
    """

    memory: int = 3 << 30
    printed: int = 10_000
    received: int = 256 << 20
    start_seconds: float = 120.0
    wall: float = 900.0


@dataclass(frozen=True)
class Answer:
    """The reply to one case, checked: the outputs and the inputs changed in place, or the error."""

    outputs: dict[str, Any] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    error: Error | None = None
    forbidden: tuple[str, ...] = ()
    size: int = 0


@dataclass
class Run:
    """What came back for one question; ``stopped`` are the errors of cells that ended early, by label."""

    cells_error: Error | None = None
    stopped: dict[str, Error] = field(default_factory=dict)
    forbidden: list[str] = field(default_factory=list)
    cases: dict[tuple[int, int], Answer] = field(default_factory=dict)
    lost: dict[int, str] = field(default_factory=dict)
    printed: str = ""


class _Connection:
    """One worker process with threads that drain its pipes."""

    def __init__(self, launcher: Launcher, limits: Limits):
        self.limits = limits
        try:
            self.process = launcher.start()
        except OSError as error:
            raise WorkerFailed(f"the worker did not start: {error}") from None
        self.messages: queue.Queue = queue.Queue(maxsize=2)
        self.printed = bytearray()
        self.changed = threading.Condition()
        self.mark = b""
        self.writer: threading.Thread | None = None
        self.reader, self.drain = (threading.Thread(target=t, daemon=True) for t in (self._read, self._drain))
        self.reader.start()
        self.drain.start()
        why = "it ended"
        try:
            ready = self.next(limits.start_seconds)
        except TimeoutError:
            ready, why = None, f"it was {NOT_READY} {limits.start_seconds:g} seconds"
        except WorkerFailed:
            self.close()
            raise
        started = ready and ready[0]
        if started is not None:
            why = "it is of another version"
        if not isinstance(started, messages.Ready) or started.version != messages.VERSION:
            self.close()
            printed = self.printed.decode(errors="replace")[-2000:].strip()
            raise WorkerFailed(f"the worker did not start: {why}" + (f": {printed}" if printed else ""))
        self.forks = started.forks

    def _read(self) -> None:
        # whatever cannot be read ends the conversation as the end of the worker does
        try:
            while (message := read_message(self.process.stdout, _REPLY)) is not None:
                self.messages.put(message)
        except MemoryError as error:
            self.messages.put(error)
        except Exception:
            self.messages.put(None)
        else:
            self.messages.put(None)

    def _drain(self) -> None:
        tail = b""
        while piece := self.process.stderr.read1(65536):
            with self.changed:
                room = self.limits.printed + len(self.mark) - len(self.printed)
                self.printed += piece[: max(0, room)]
                tail = (tail + piece)[-65536 - 64 :]
                if self.mark and self.mark in tail:
                    self.mark = b""
                    self.changed.notify_all()

    def send(self, request: Request, arrays: Sequence[np.ndarray]) -> str:
        """Send a request, and the mark that the worker returns when it has answered."""
        mark = f"[end {secrets.token_hex(16)}]"
        with self.changed:
            self.printed.clear()
            self.mark = mark.encode()

        def write() -> None:
            # the reader sees the same end of the worker
            with contextlib.suppress(OSError, ValueError):
                try:
                    write_message(self.process.stdin, request, arrays)
                    write_message(self.process.stdin, messages.Mark(mark=mark))
                except MemoryError as error:
                    self.messages.put(error)

        self.writer = threading.Thread(target=write, daemon=True)
        self.writer.start()
        return mark

    def next(self, seconds: float) -> tuple[Reply, list[np.ndarray]] | None:
        """The next message; None when the worker has ended; TimeoutError, also while messages keep coming.

        WorkerFailed where this process, not the worker, has no memory left.
        """
        if seconds <= 0:
            raise TimeoutError
        try:
            message = self.messages.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(message, MemoryError):
            raise WorkerFailed("the grader has no memory left for messages") from message
        return message

    def text(self, mark: str, complete: bool) -> str:
        with self.changed:
            if complete:
                self.changed.wait_for(lambda: not self.mark, timeout=5)
            return bytes(self.printed).decode(errors="replace").split(mark)[0][: self.limits.printed]

    def close(self) -> None:
        """End the worker. Pipes that a process outside the launcher's reach holds open stay open."""
        self.process.kill()
        deadline = time.monotonic() + CLOSE_SECONDS
        while self.reader.is_alive() and time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                self.messages.get(timeout=0.05)
        users = {"stdin": self.writer, "stdout": self.reader, "stderr": self.drain}
        for name, thread in users.items():
            if thread is not None:
                thread.join(timeout=max(0.0, deadline - time.monotonic()))
            if thread is None or not thread.is_alive():
                with contextlib.suppress(OSError):
                    getattr(self.process, name).close()


class Session:
    """Runs one student's questions, each isolated from the others; restarts a worker that code has ended."""

    def __init__(self, launcher: Launcher | None = None, limits: Limits | None = None):
        self.launcher: Launcher = launcher or PlainLauncher()
        self.limits = limits or Limits()
        self._connection: _Connection | None = None
        self._until = math.inf

    @property
    def overdue(self) -> bool:
        """Whether the submission that is being graded has used the time that it has for all its questions."""
        return time.monotonic() >= self._until

    @contextlib.contextmanager
    def submission(self) -> Iterator[None]:
        """What runs inside belongs to one submission, and has ``Limits.wall`` for all of it."""
        self._until = time.monotonic() + self.limits.wall
        try:
            yield
        finally:
            self._until = math.inf

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker, if one is running."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def run(
        self,
        cells: Sequence[tuple[str, str]],
        parts: Sequence[tuple[str, Sequence[Any]]],
        arrays: Sequence[np.ndarray],
        *,
        forbids: Sequence[str] = (),
        uses: Sequence[str] = (),
        imports: Sequence[str] = (),
        seconds: float = 10.0,
    ) -> Run:
        """Execute the cells, then the programs; ``parts`` are (source, packed inputs of each case).

        A part during which the process ended or ran out of time is in ``Run.lost`` with the reason; the later
        parts run in a new process. After a part that ran out of time they have less of it, and when one of
        them runs out too, the rest is not tried. ``imports`` are modules to have ready before the cells run.
        """
        run = Run()
        waiting = list(range(len(parts)))
        part_seconds = seconds
        while waiting:
            if self.overdue:
                run.lost.update(dict.fromkeys(waiting, "overdue"))
                break
            request = Request(
                cells=[(label, clean(source)) for label, source in cells],
                parts=[(parts[p][0], list(parts[p][1])) for p in waiting],
                forbids=list(forbids),
                withheld=[name for name in WITHHELD if name not in uses],
                imports=list(imports),
                memory=self.limits.memory,
                seconds=seconds,
                part_seconds=part_seconds,
            )
            try:
                lost = self._attempt(run, request, arrays, waiting)
            except BaseException:
                self.close()
                raise
            if run.cells_error is not None or lost is None:
                break
            where, reason = lost
            if where is None:
                run.lost.update(dict.fromkeys(waiting, reason))
                break
            if reason == "timeout" and "timeout" in run.lost.values():
                reason = "hurried"
            run.lost[where] = reason
            waiting = waiting[waiting.index(where) + 1 :]
            if reason == "timeout":
                part_seconds = hurried(seconds)
            elif reason == "hurried":
                run.lost.update(dict.fromkeys(waiting, "untried"))
                break
        return run

    def _attempt(
        self, run: Run, request: Request, arrays: Sequence[np.ndarray], waiting: list[int]
    ) -> tuple[int | None, str] | None:
        """One request. None when all was answered, else where it stopped (None: in the cells) and why."""
        connection = self._connection = self._connection or _Connection(self.launcher, self.limits)
        mark = connection.send(request, arrays)
        left = [
            (p, c) for p, (_, cases) in zip(waiting, request.parts, strict=True) for c in range(len(cases))
        ]
        in_cells, reason, usable = True, "crashed", False
        used: list[str] = []
        room = self.limits.received - sum(answer.size for answer in run.cases.values())
        waits = WAITING if connection.forks else 1
        deadline = min(self._until, time.monotonic() + request.seconds * waits)
        try:
            while (message := connection.next(deadline - time.monotonic())) is not None:
                reply, values = message
                if isinstance(reply, messages.Forbidden):
                    if reply.name in (*request.forbids, *request.withheld) and reply.name not in used:
                        used.append(reply.name)
                    continue
                if isinstance(reply, messages.Cells) and in_cells:
                    in_cells = False
                    run.forbidden += used
                    run.stopped = dict(reply.stopped)
                    if reply.error is not None:
                        run.cells_error, left = reply.error, []
                elif isinstance(reply, messages.Case) and not in_cells and left:
                    place = left.pop(0)
                    run.cases[place] = _answer(reply, values, used, room)
                    room -= run.cases[place].size
                    if left and left[0][0] == place[0]:
                        used = []
                        continue
                elif isinstance(reply, messages.Done) and reply.mark == mark:
                    usable = connection.forks
                    reason = {-9: "out-of-memory", -24: "timeout"}.get(reply.ended, "crashed")
                    break
                else:
                    break
                used = []
                deadline = min(self._until, time.monotonic() + request.part_seconds * waits)
        except TimeoutError:
            reason = "timeout"
        if connection.process.out_of_memory:
            reason = "out-of-memory"
        run.printed += connection.text(mark, usable)
        if not usable:
            self.close()
        if reason == "timeout" and self.overdue:
            reason = "overdue"
        if in_cells:
            return None, reason
        return (left[0][0], reason) if left else None


def _answer(reply: messages.Case, values: list[np.ndarray], used: list[str], room: int) -> Answer:
    """The reply to a case as far as there is room for it."""
    error, size = reply.error, sum(a.nbytes for a in values)
    outputs: Any = {}
    if error is None and size > room:
        error = Error("UnsupportedValue", message="more than may be sent back for one question")
    if error is None:
        try:
            outputs = unpack(reply.value, values)
            if not isinstance(outputs, dict) or any(not isinstance(name, str) for name in outputs):
                raise ProtocolError("the outputs are no dict of names")
        except ProtocolError as problem:
            told = f"the worker's reply cannot be read: {problem}"
            error = Error("ProtocolError", message=told[: messages.MAX_ERROR])
    if error is not None:
        return Answer(error=error, forbidden=tuple(used))
    return Answer(outputs, tuple(reply.changed), None, tuple(used), size)
