"""Instant feedback in the notebook, and grading of submissions, from one question specification."""

from typing import Any

__all__ = ["check", "hint"]


def __getattr__(name: str) -> Any:
    """``check`` is imported when it is asked for: a worker has no use for what grades, nor a copy of it."""
    if name in __all__:
        from autograder.judging import checking

        return getattr(checking, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
