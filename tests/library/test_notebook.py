"""Source and tables on a page: what is shown is what runs, and nothing is too wide."""

import ast
import inspect

import numpy as np
import pytest

from transformer_lib.density.ngram import KneserNey
from transformer_lib.equations import note
from transformer_lib.experiments.chapter_15 import share
from transformer_lib.notebook import excerpt, show_source, show_table, spread
from transformer_lib.transformer.attention import MultiHeadAttention, attention_weights


def documented(first: float, *, second: "list[int] | None" = None) -> float:
    """Say what is done.

    With a blank line.
    """
    # why
    return first if second is None else sum(second)


class Nested:
    """A class."""

    size: int = 3

    def grow(self, by: int) -> "int":
        """Grow."""

        def inner(x: int) -> int:
            """Go in."""
            return x + by

        return inner(self.size)


def long_signature(first_argument, second_argument, third_argument=None, fourth_argument=None, *, fifth=None):
    return first_argument


def wide():
    return "a line that is shown in a chapter has at most so many columns, and this one has some more"


def test_a_function_is_shown_without_docstring_and_annotations_and_with_its_comments():
    assert show_source(documented).pieces[0].text == (
        "def documented(first, *, second=None):\n"
        "    # why\n"
        "    return first if second is None else sum(second)"
    )


def test_what_is_shown_is_what_runs():
    shown = {"np": np}
    exec(show_source(note.softmax).pieces[0].text, shown)
    scores = np.array([1.0, 2.0, 3.0])
    assert np.array_equal(shown["softmax"](scores), note.softmax(scores))


def test_a_script_is_shown_whole_with_the_line_that_says_how_to_run_it():
    (piece,) = show_source(share).pieces
    assert piece.caption == "Library: experiments.chapter_15.share"
    assert piece.text.splitlines()[0] == f'"""{share.__doc__}"""'
    assert "def share(is_sharded, is_weighted):" in piece.text
    assert piece.text.splitlines()[-1].strip() == "dist.destroy_process_group()"


def test_a_class_keeps_its_fields_and_loses_every_docstring():
    assert show_source(Nested).pieces[0].text == (
        "class Nested:\n    size: int = 3\n\n    def grow(self, by):\n"
        "        def inner(x):\n            return x + by\n\n        return inner(self.size)"
    )


def test_a_long_signature_is_broken_within_80_columns():
    text = show_source(long_signature).pieces[0].text
    assert max(map(len, text.splitlines())) <= 80
    assert inspect.signature(long_signature).parameters.keys() == {
        a.arg for a in ast.walk(ast.parse(text)) if isinstance(a, ast.arg)
    }


def test_a_line_that_is_too_wide_is_refused_with_the_line():
    with pytest.raises(ValueError, match=r"80 columns.*wide has 102.*a line that is shown"):
        show_source(wide)


def test_an_excerpt_runs_from_the_first_line_with_start_to_the_next_with_end():
    assert excerpt(Nested, "def inner", "return").text == "def inner(x):\n    return x + by"
    assert excerpt(Nested, "size").text == "size: int = 3"


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        ("absent", None, "no line of .*Nested holds 'absent'"),
        ("return", "size:", "from line .* holds 'size:'"),
    ],
)
def test_an_excerpt_that_is_not_there_is_refused(start, end, message):
    with pytest.raises(ValueError, match=message):
        excerpt(Nested, start, end)


def test_captions_say_what_is_an_equation_and_what_is_library_code_whatever_it_computes_with():
    pieces = show_source(
        note.softmax,
        excerpt(attention_weights, "scale =", "softmax"),
        MultiHeadAttention.weights,
        excerpt(KneserNey.conditional_log_probs, "for order", "known ="),
    ).pieces
    assert [piece.caption for piece in pieces] == [
        "Equation: note.softmax",
        "Library: transformer.attention.attention_weights (excerpt)",
        "Library: transformer.attention.MultiHeadAttention.weights",
        "Library: density.ngram.KneserNey.conditional_log_probs (excerpt)",
    ]


def test_the_two_forms_of_a_source_hold_the_same_lines():
    pair = show_source(note.softmax)
    assert repr(pair) == "# Equation: note.softmax\ndef softmax(a):\n    return np.exp(a) / np.sum(np.exp(a))"
    html = pair._repr_html_()
    assert html.startswith('<div class="source-pair"><figure class="source equation"><figcaption>')
    assert 'class="source library"' in show_source(MultiHeadAttention.weights)._repr_html_()
    assert '<div class="highlight"><pre>' in html and html.count("\n") == 2


def test_a_table_has_the_same_cells_in_both_forms():
    table = show_table(["head", "k < 9"], [["scaled", "0.01"], ["not scaled", 2]], "Loss")
    assert repr(table) == "Loss\nhead        k < 9\n-----------------\nscaled       0.01\nnot scaled      2"
    html = table._repr_html_()
    assert html.startswith('<table class="record"><caption>Loss</caption>')
    assert '<th scope="row">scaled</th><td data-label="k &lt; 9">0.01</td>' in html


def test_a_row_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="needs 2 cells"):
        show_table(["a", "b"], [["only one"]])


def test_a_spread_is_the_mean_and_the_extremes_and_one_number_where_they_agree():
    assert spread([0.352, 0.5, 0.69]) == "0.51 (0.35\u00a0to\u00a00.69)"
    assert spread([0.999, 1.001]) == "1.00"
    with pytest.raises(ValueError, match="no values"):
        spread([])
