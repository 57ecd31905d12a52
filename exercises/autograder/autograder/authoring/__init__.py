"""What an author writes, and what a ``questions.py`` imports."""

from autograder.authoring.spec import Interval, Part, Question, no_inputs, normal

__all__ = ["Interval", "Part", "Question", "no_inputs", "normal"]
