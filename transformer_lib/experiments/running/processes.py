"""Processes that measure units side by side: how far they are, how they end, and that none is left over."""

import io
import logging
import os
import threading
from collections.abc import Callable, Mapping
from functools import partialmethod
from multiprocessing import connection, get_context, parent_process
from typing import Any

import torch
from tqdm import tqdm

from transformer_lib.training.progress import shows_progress

__all__ = ["run_at_once"]

SECONDS_TO_SAVE = 60
"""How long units that run at once may take to save after Ctrl-C."""


def run_at_once(
    work: Callable[[Any], object], units: Mapping[str, Any], jobs: int, finished: Callable[[Any], object]
) -> None:
    """Have ``jobs`` processes at a time call ``work`` with the units; ``finished`` is called here after each.

    The processes share the threads. Each has a line that begins with the label of its unit. If one fails the
    others are ended.

    Raises
    ------
    Exception
        What ``work`` has raised.
    ChildProcessError
        If a process ended without a word.
    """
    spawn, threads = get_context("spawn"), max(1, torch.get_num_threads() // min(jobs, len(units)))
    waiting = list(units)
    running: dict[Any, tuple[Any, str, Any]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                label = waiting.pop(0)
                ours, theirs = spawn.Pipe(duplex=False)
                asked = (theirs, threads, work, label, units[label], shows_progress())
                process = spawn.Process(target=_work_and_tell, args=asked)
                process.start()
                theirs.close()
                line = tqdm(desc=label, bar_format="{desc}", leave=False, disable=not shows_progress())
                running[ours] = process, label, line
            for told in connection.wait(list(running)):
                process, label, line = running[told]
                if (said := _said(told, process, label)) is not None:
                    line.set_description_str(said)
                    continue
                line.close()
                del running[told]
                finished(units[label])
    except KeyboardInterrupt:
        for process, *_ in running.values():
            process.join(SECONDS_TO_SAVE)
        raise
    finally:
        for process, _, line in running.values():
            process.terminate()
            process.join()
            line.close()


def _work_and_tell(
    told: Any, threads: int, work: Callable[[Any], object], label: str, unit: Any, progress: bool
) -> None:
    """Call ``work`` in a process of its own; send what went wrong, or nothing.

    With ``progress``, what bars would show is sent before.
    """
    _end_with_parent()
    torch.set_num_threads(threads)
    if progress:
        _tell_progress(told, label)
    try:
        work(unit)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Exception as error:
        told.send(error)
    else:
        told.send(None)


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, so that nobody else works in its folders."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _tell_progress(told: Any, label: str) -> None:
    """Send the text of every bar of this process through ``told``, after ``label``, and show none."""
    logging.getLogger("transformer_lib").setLevel(logging.INFO)
    unseen = partialmethod(tqdm.__init__, file=io.StringIO(), desc=label)
    tqdm.__init__ = unseen
    tqdm.display = lambda bar, *_, **__: told.send(str(bar))


def _said(told: Any, process: Any, label: str) -> str | None:
    """What the process that measures a unit says of how far it is, or None at its end."""
    try:
        heard = told.recv()
    except EOFError:
        process.join()
        raise ChildProcessError(
            f"the process that measured {label} ended with code {process.exitcode}; if it had too little "
            "memory, take fewer jobs"
        ) from None
    if isinstance(heard, str):
        return heard
    process.join()
    if heard is not None:
        raise heard
    return None
