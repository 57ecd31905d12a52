"""Replies with an interval whose ends are the wrong way round."""

# 06.3: crashed

# question 06.3
from autograder.authoring.spec import Interval

inside_out = object.__new__(Interval)
object.__setattr__(inside_out, "low", 5.0)
object.__setattr__(inside_out, "high", 1.0)
variance = scale = shifted = own_mean = own_variance = inside_out
