"""The companion library of the course *Transformers, Equation by Equation*."""

__version__ = "0.1.0"
