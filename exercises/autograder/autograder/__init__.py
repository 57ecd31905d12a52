"""Instant feedback in the notebook, and grading of submissions, from one question specification."""

from autograder.checking import check

__all__ = ["check"]
