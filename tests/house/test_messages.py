"""Who breaks a rule of the house reads what to do about it."""

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def speechless(text: str) -> list[int]:
    """The lines of the assertions that have no sentence to say when they fail."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Assert) and not is_sentence(node.msg)
    ]


def is_sentence(message: ast.expr | None) -> bool:
    parts = message.values if isinstance(message, ast.JoinedStr) else [message]
    words = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return len(" ".join(words).split()) > 2


def test_every_assertion_of_the_house_says_what_to_do() -> None:
    found = [
        f"{path.name}, line {line}"
        for path in sorted(HERE.glob("*.py"))
        for line in speechless(path.read_text(encoding="utf-8"))
    ]
    assert not found, f"end each of these assertions with a message that says what to do: {found}"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("assert x", [1]),
        ("x = 1\nassert x, path.name", [2]),
        ('assert x, f"{path.name}: {x}"', [1]),
        ('assert x, f"add {x} to the table"', []),
        ('def test():\n    for _ in x:\n        assert y\n        assert x, "add a line"', [3]),
    ],
)
def test_an_assertion_without_a_sentence_is_found_wherever_it_stands(text: str, lines: list[int]) -> None:
    assert speechless(text) == lines, "find assertions at every depth, and names that are no sentence"
