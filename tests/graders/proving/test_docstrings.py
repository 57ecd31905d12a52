"""The axes of arguments are read from the lines of a stub's docstrings."""

import pytest
from autograder.proving.docstrings import entries, targets

STUB = '''# question 01.1
%matplotlib inline
def attention(query, lengths, heads, weights, names, state, free):
    """Each query's average.

    query:   float tensor (batch, queries, 2 * d)
    lengths: whole-number tensor (batch,), at
             least 1
    heads:   a whole number (of heads)
    weights: list of NumPy arrays (n, keys)
    names:   a list of texts
    state:   tuple (h, c) of float tensors (layers, d)
    returns: float tensor (batch,)
    """


class Block(nn.Module):
    """A block.

    d_model: a whole number
    """

    def __init__(self, d_model):
        super().__init__()

    def forward(self, x):
        """Runs.

        x: float tensor (batch, time, d_model)
        """


class Plain:
    """No forward."""
'''


def test_a_function_and_a_class_are_read() -> None:
    function, block = targets(STUB)
    assert (function.name, function.is_class, block.name, block.is_class) == (
        "attention",
        False,
        "Block",
        True,
    )
    assert function.axes == {
        "query": ("batch", "queries", ""),
        "lengths": ("batch",),
        "weights": ("n", "keys"),
        "state": ("layers", "d"),
    }
    assert function.whole == ["heads"]
    assert function.sizes == ["batch", "queries", "n", "keys", "layers", "d", "heads"]
    assert block.axes == {"x": ("batch", "time", "d_model")} and block.whole == ["d_model"]
    assert block.sizes == ["batch", "time", "d_model"]
    assert [argument.name for argument in function.arguments][-1] == "free"


@pytest.mark.parametrize(
    "docstring, found",
    [
        ("", {}),
        ("A.\n\nx: one\n   more\ny: two", {"x": "one more", "y": "two"}),
        ("A.\n\nx: one\n\nz is not: an entry", {"x": "one"}),
    ],
)
def test_entries_go_on_where_lines_are_indented(docstring: str, found: dict) -> None:
    assert dict(entries(docstring)) == found
