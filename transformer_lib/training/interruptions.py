"""Ctrl-C, held back until a step has ended."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["interruptions"]


@contextmanager
def interruptions(is_heeded: bool) -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed: the first time it is only noted, so that a step can end."""
    can_handle = threading.current_thread() is threading.main_thread()
    previous = signal.getsignal(signal.SIGINT)
    if not (is_heeded and can_handle and previous is signal.default_int_handler):
        yield lambda: False
        return
    noted = threading.Event()

    def note(*_: object) -> None:
        noted.set()
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted.is_set
    finally:
        signal.signal(signal.SIGINT, previous)
