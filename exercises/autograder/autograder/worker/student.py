"""What a question's program sees of an answer: the names that its cells define."""

from difflib import get_close_matches
from typing import Any


class MissingName(Exception):
    """A name that the question asks for and the student's cells do not define."""


class Student:
    """The names that the student's cells define, as attributes, for a program to use."""

    def __init__(self, namespace: dict[str, Any], given: set[str]):
        self._namespace = namespace
        self._given = given

    def __getattr__(self, name: str) -> Any:
        if name in self._namespace:
            return self._namespace[name]
        own = [n for n in self._namespace if n not in self._given and not n.startswith("_")]
        close = get_close_matches(name, own, n=1, cutoff=0.5)
        told = f"; it defines {close[0]}" if close else ""
        raise MissingName(f"the cell does not define {name}{told}")
