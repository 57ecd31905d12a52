"""Ctrl-C while something must not be cut in two."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["ctrl_c_held_back"]


@contextmanager
def ctrl_c_held_back(is_alone: bool) -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed: the first time it is only noted, so that a step can end."""
    previous, pressed = signal.getsignal(signal.SIGINT), threading.Event()
    is_main_thread = threading.current_thread() is threading.main_thread()
    holds = is_alone and is_main_thread and previous is signal.default_int_handler

    def note(*_: object) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, previous)

    if holds:
        signal.signal(signal.SIGINT, note)
    try:
        yield pressed.is_set
    finally:
        if holds:
            signal.signal(signal.SIGINT, previous)
