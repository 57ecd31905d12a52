"""Instant feedback in the notebook, and grading of submissions, from one question specification."""
