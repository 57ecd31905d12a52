"""Instant feedback in the notebook, and grading of submissions, from one question specification."""

from typing import Any

__all__ = ["check"]


def __getattr__(name: str) -> Any:
    """``check`` is imported when it is asked for: a worker has no use for what grades, nor a copy of it."""
    if name == "check":
        from autograder.judging.checking import check

        return check
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
