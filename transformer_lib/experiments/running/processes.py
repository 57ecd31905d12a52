"""Processes that measure units side by side: how far they are, how they end, and that none is left over."""

import io
import logging
import os
import threading
from functools import partialmethod
from multiprocessing import connection, parent_process
from typing import Any

from tqdm import tqdm

__all__ = ["end_with_parent", "said", "tell_progress"]


def end_with_parent() -> None:
    """End this process when the one that started it is gone, so that nobody else works in its folders."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def tell_progress(told: Any, label: str) -> None:
    """Send the text of every bar of this process through ``told``, after ``label``, and show none."""
    logging.getLogger("transformer_lib").setLevel(logging.INFO)
    unseen = partialmethod(tqdm.__init__, file=io.StringIO(), desc=label)
    tqdm.__init__ = unseen
    tqdm.display = lambda bar, *_, **__: told.send(str(bar))


def said(told: Any, process: Any, label: str) -> str | None:
    """What the process that measures a unit says of how far it is, or None at its end.

    Raises
    ------
    Exception
        What it has sent as an error.
    ChildProcessError
        If it ended without a word.
    """
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
