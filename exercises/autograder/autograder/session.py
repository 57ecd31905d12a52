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
from autograder.protocol import VERSION, ProtocolError, read_message, write_message

MAX_TIMEOUTS = 2


class WorkerFailed(RuntimeError):
    """The worker could not be started: a fault of the installation, not of a student."""


@dataclass(frozen=True)
class Limits:
    """What one question may use; ``seconds`` for its cells and for each part."""

    memory: int = 3 << 30
    printed: int = 10_000
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
        self.process = launcher.start()
        self.messages: queue.Queue = queue.Queue(maxsize=4)
        self.printed = bytearray()
        self.changed = threading.Condition()
        self.marker = b""
        self.threads = [threading.Thread(target=t, daemon=True) for t in (self._read, self._drain)]
        for thread in self.threads:
            thread.start()
        ready = self.next(limits.start_seconds)
        if ready is None or ready[0].get("kind") != "ready" or ready[0].get("version") != VERSION:
            self.close()
            raise WorkerFailed(
                "the worker did not start: " + self.printed.decode(errors="replace")[-2000:].strip()
            )
        self.forks = ready[0].get("forks") is True

    def _read(self) -> None:
        # bytes that are no message, or a pipe that broke, end the conversation as the end of the worker does
        with contextlib.suppress(ProtocolError, EOFError, OSError, ValueError):
            while (message := read_message(self.process.stdout)) is not None:
                self.messages.put(message)
        self.messages.put(None)

    def _drain(self) -> None:
        tail = b""
        while piece := self.process.stderr.read1(65536):
            with self.changed:
                room = self.limits.printed + len(self.marker) - len(self.printed)
                self.printed += piece[: max(0, room)]
                tail = (tail + piece)[-65536 - 64 :]
                if self.marker and self.marker in tail:
                    self.marker = b""
                    self.changed.notify_all()

    def send(self, request: dict[str, Any], arrays: Sequence[np.ndarray]) -> str:
        marker = f"[end {secrets.token_hex(16)}]"
        with self.changed:
            self.printed.clear()
            self.marker = marker.encode()

        def write() -> None:
            # the reader sees the same end of the worker
            with contextlib.suppress(OSError, ValueError):
                write_message(self.process.stdin, {**request, "marker": marker}, arrays)

        threading.Thread(target=write, daemon=True).start()
        return marker

    def next(self, seconds: float) -> tuple[dict[str, Any], list[np.ndarray]] | None:
        """The next message; None when the worker has ended; TimeoutError."""
        try:
            return self.messages.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise TimeoutError from None

    def text(self, marker: str, complete: bool) -> str:
        with self.changed:
            if complete:
                self.changed.wait_for(lambda: not self.marker, timeout=5)
            return bytes(self.printed).decode(errors="replace").split(marker)[0][: self.limits.printed]

    def close(self) -> None:
        self.process.kill()
        reader, drain = self.threads
        while reader.is_alive():
            with contextlib.suppress(queue.Empty):
                self.messages.get(timeout=0.05)
        drain.join(timeout=5)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()


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
        marker = connection.send(dict(request), arrays)
        left = [
            (p, c) for p, (_, cases) in zip(waiting, request["parts"], strict=True) for c in range(len(cases))
        ]
        in_cells, reason, usable = True, "crashed", False
        deadline = time.monotonic() + seconds
        try:
            while (message := connection.next(deadline - time.monotonic())) is not None:
                header, values = message
                kind = header.get("kind")
                if kind == "cells" and in_cells:
                    in_cells = False
                    run.forbidden += [f for f in request["forbids"] if f in _list(header.get("forbidden"))]
                    if header.get("error") is not None:
                        run.cells_error, left = _error(header["error"]), []
                elif kind == "case" and not in_cells and left:
                    place = left.pop(0)
                    if header.get("error") is not None:
                        header = {**header, "error": _error(header["error"])}
                    run.cases[place] = (header, values)
                    if left and left[0][0] == place[0]:
                        continue
                elif kind == "done":
                    usable = connection.forks
                    reason = "out-of-memory" if header.get("ended") == -9 else "crashed"
                    break
                else:
                    break
                deadline = time.monotonic() + seconds
        except TimeoutError:
            reason = "timeout"
        run.printed += connection.text(marker, usable)
        if not usable:
            self.close()
        if in_cells:
            return None, reason
        return (left[0][0], reason) if left else None


def _list(value: Any) -> list:
    return value if isinstance(value, list) else []


def _error(value: Any) -> dict[str, Any]:
    """An error as the worker reported it, with every field checked."""
    fields = value if isinstance(value, dict) else {}
    told = {k: str(fields.get(k) or "")[:500] for k in ("type", "builtin", "message", "cell")}
    line = fields.get("line")
    return {**told, "line": line if isinstance(line, int) and not isinstance(line, bool) else None}
