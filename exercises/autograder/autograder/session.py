"""Talking to workers under limits: requests, checked replies, a new worker where code ended the old one."""

import contextlib
import queue
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import numpy as np

from autograder.launcher import Launcher, PlainLauncher
from autograder.protocol import VERSION, ProtocolError, clean, read_message, unpack, write_message

MAX_TIMEOUTS = 2
# a worker that forks counts processor time; the clock on the wall stops code that only waits
WAITING = 5
CLOSE_SECONDS = 5.0


class WorkerFailed(RuntimeError):
    """The worker could not be started: a fault of the installation, not of a student."""


@dataclass(frozen=True)
class Limits:
    """What one question may use, and what is kept of what it sends back and prints."""

    memory: int = 3 << 30
    printed: int = 10_000
    received: int = 256 << 20
    start_seconds: float = 120.0


@dataclass
class Run:
    """What came back for one question."""

    cells_error: dict[str, Any] | None = None
    forbidden: list[str] = field(default_factory=list)
    cases: dict[tuple[int, int], tuple[dict[str, Any], list[np.ndarray]]] = field(default_factory=dict)
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
        try:
            ready = self.next(limits.start_seconds)
        except TimeoutError:
            ready = None
        if ready is None or ready[0].get("kind") != "ready" or ready[0].get("version") != VERSION:
            self.close()
            raise WorkerFailed(
                "the worker did not start: " + self.printed.decode(errors="replace")[-2000:].strip()
            )
        self.forks = ready[0].get("forks") is True

    def _read(self) -> None:
        # whatever cannot be read ends the conversation as the end of the worker does
        with contextlib.suppress(Exception):
            while (message := read_message(self.process.stdout)) is not None:
                self.messages.put(message)
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

    def send(self, request: dict[str, Any], arrays: Sequence[np.ndarray]) -> str:
        """Sends a request, and the mark that the worker gives back at the end of it."""
        mark = f"[end {secrets.token_hex(16)}]"
        with self.changed:
            self.printed.clear()
            self.mark = mark.encode()

        def write() -> None:
            # the reader sees the same end of the worker
            with contextlib.suppress(OSError, ValueError):
                write_message(self.process.stdin, request, arrays)
                write_message(self.process.stdin, {"mark": mark})

        self.writer = threading.Thread(target=write, daemon=True)
        self.writer.start()
        return mark

    def next(self, seconds: float) -> tuple[dict[str, Any], list[np.ndarray]] | None:
        """The next message; None when the worker has ended; TimeoutError, also while messages keep coming."""
        if seconds <= 0:
            raise TimeoutError
        try:
            return self.messages.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None

    def text(self, mark: str, complete: bool) -> str:
        with self.changed:
            if complete:
                self.changed.wait_for(lambda: not self.mark, timeout=5)
            return bytes(self.printed).decode(errors="replace").split(mark)[0][: self.limits.printed]

    def close(self) -> None:
        """Ends the worker. A pipe that a process outside the launcher's reach holds open is left to it."""
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
    """Runs questions of one student, each apart from the others; restarts the worker where code ended it."""

    def __init__(self, launcher: Launcher | None = None, limits: Limits | None = None):
        self.launcher = launcher or PlainLauncher()
        self.limits = limits or Limits()
        self._connection: _Connection | None = None

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
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
        imports: Sequence[str] = (),
        seconds: float = 10.0,
    ) -> Run:
        """Executes the cells, then the programs; ``parts`` are (source, packed inputs of each case).

        A part during which the process ended or ran out of time is in ``Run.lost`` with the reason; the later
        parts run in a new process, unless two have run out of time before. ``imports`` are modules to have
        ready before the cells run.
        """
        run = Run()
        waiting = list(range(len(parts)))
        while waiting:
            request = {
                "cells": [list(cell) for cell in cells],
                "parts": [list(parts[p]) for p in waiting],
                "forbids": list(forbids),
                "imports": list(imports),
                "memory": self.limits.memory,
                "seconds": seconds,
            }
            try:
                lost = self._attempt(run, request, arrays, waiting, seconds)
            except BaseException:
                self.close()
                raise
            if run.cells_error is not None or lost is None:
                break
            where, reason = lost
            if where is None:
                run.lost.update(dict.fromkeys(waiting, reason))
                break
            run.lost[where] = reason
            waiting = waiting[waiting.index(where) + 1 :]
            if list(run.lost.values()).count("timeout") == MAX_TIMEOUTS:
                run.lost.update(dict.fromkeys(waiting, "timeout"))
                break
        return run

    def _attempt(
        self,
        run: Run,
        request: Mapping[str, Any],
        arrays: Sequence[np.ndarray],
        waiting: list[int],
        seconds: float,
    ) -> tuple[int | None, str] | None:
        """One request. None when all was answered, else where it stopped (None: in the cells) and why."""
        connection = self._connection = self._connection or _Connection(self.launcher, self.limits)
        mark = connection.send(dict(request), arrays)
        left = [
            (p, c) for p, (_, cases) in zip(waiting, request["parts"], strict=True) for c in range(len(cases))
        ]
        in_cells, reason, usable = True, "crashed", False
        used: list[str] = []
        room = self.limits.received - sum(a.nbytes for _, kept in run.cases.values() for a in kept)
        patience = seconds * WAITING if connection.forks else seconds
        deadline = time.monotonic() + patience
        try:
            while (message := connection.next(deadline - time.monotonic())) is not None:
                header, values = message
                kind = header.get("kind")
                if kind == "forbidden":
                    used += [name for name in request["forbids"] if name == header.get("name")]
                    used = list(dict.fromkeys(used))
                    continue
                if kind == "cells" and in_cells:
                    in_cells = False
                    run.forbidden += used
                    if header.get("error") is not None:
                        run.cells_error, left = _error(header["error"]), []
                elif kind == "case" and not in_cells and left:
                    place = left.pop(0)
                    run.cases[place] = _case(header, values, used, room)
                    room -= sum(a.nbytes for a in run.cases[place][1])
                    if left and left[0][0] == place[0]:
                        used = []
                        continue
                elif kind == "done" and header.get("mark") == mark:
                    usable = connection.forks
                    reason = {-9: "out-of-memory", -24: "timeout"}.get(_whole(header.get("ended")), "crashed")
                    break
                else:
                    break
                used = []
                deadline = time.monotonic() + patience
        except TimeoutError:
            reason = "timeout"
        if connection.process.out_of_memory:
            reason = "out-of-memory"
        run.printed += connection.text(mark, usable)
        if not usable:
            self.close()
        if in_cells:
            return None, reason
        return (left[0][0], reason) if left else None


def _case(
    header: dict[str, Any], values: list[np.ndarray], used: list[str], room: int
) -> tuple[dict[str, Any], list[np.ndarray]]:
    """A reply to a case: the fields that are used, in order and no more than there is room for."""
    error, size = header.get("error"), sum(a.nbytes for a in values)
    if error is None and size > room:
        error = {"type": "UnsupportedValue", "message": "more than may be sent back for one question"}
    if error is None:
        try:
            unpack(header.get("value"), values)
        except ProtocolError as problem:
            error = {"type": "ProtocolError", "message": f"the worker's reply cannot be read: {problem}"}
    if error is not None:
        return {"error": _error(error), "forbidden": used}, []
    changed = [name for name in _list(header.get("changed")) if isinstance(name, str)]
    return {"error": None, "value": header.get("value"), "changed": changed, "forbidden": used}, values


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _list(value: Any) -> list:
    return value if isinstance(value, list) else []


def _error(value: Any) -> dict[str, Any]:
    """An error as the worker reported it, with every field checked."""
    fields = value if isinstance(value, dict) else {}
    told = {k: fields.get(k) for k in ("type", "builtin", "message", "cell")}
    texts = {k: clean(v)[:500] if isinstance(v, str) else "" for k, v in told.items()}
    return {**texts, "line": _whole(fields.get("line"))}
