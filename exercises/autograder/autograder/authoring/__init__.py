"""What an author writes, and what a ``spec.py`` imports.

``spec`` has ``Question`` and ``Part``, ``source`` reads exercise.md, ``folders`` finds the questions and
``bank`` their answers; ``layers`` puts an exercise and its overlay together, ``version`` digests them;
``sizes`` draws the sizes of inputs.
"""

from autograder.authoring.sizes import sizes
from autograder.authoring.spec import Interval, Part, Question, no_inputs, normal

__all__ = ["Interval", "Part", "Question", "no_inputs", "normal", "sizes"]
