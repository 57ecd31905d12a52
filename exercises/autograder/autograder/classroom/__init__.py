"""Grading a class: whose submission it is, when it came, what it is worth, and who reads it."""
