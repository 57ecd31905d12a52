"""A drawn tree has its words in a row and its phrases above them; marked brackets are orange and framed."""

import matplotlib as mpl

mpl.use("Agg")

import pytest
from matplotlib.colors import same_color

from transformer_lib.plotting import COLORS, constituency_trees

TREE = ("S", ("NP", ("DT", "the"), ("NN", "cat")), ("VP", ("VBD", "sat")))


def texts(figure):
    return {text.get_text(): text for text in figure.axes[0].texts}


def test_words_stand_in_a_row_and_a_phrase_over_the_middle_of_its_parts():
    drawn = texts(constituency_trees({"one": TREE}))
    assert [drawn[word].get_position() for word in ("the", "cat", "sat")] == [(0, 0), (1, 0), (2, 0)]
    assert drawn["NP"].get_position() == (0.5, 1)
    assert drawn["VP"].get_position() == (2, 1)
    assert drawn["S"].get_position() == (1.25, 2)


def test_a_phrase_is_joined_to_each_of_its_parts():
    figure = constituency_trees({"one": TREE, "other": ("S", ("NN", "x"))})
    assert [len(ax.lines) for ax in figure.axes] == [5, 1]
    assert [ax.get_title("left") or ax.get_title() for ax in figure.axes] == ["one", "other"]


@pytest.mark.parametrize(
    ("span", "is_marked"), [(("NP", 0, 2), True), (("NP", 0, 1), False), (("VP", 0, 2), False)]
)
def test_a_bracket_is_marked_by_its_label_and_its_words(span, is_marked):
    drawn = texts(constituency_trees({"one": TREE}, {"one": [span]}))
    assert same_color(drawn["NP"].get_color(), COLORS["orange" if is_marked else "blue"])
    assert same_color(drawn["VP"].get_color(), COLORS["blue"])
    assert [drawn[label].get_bbox_patch() is not None for label in ("NP", "VP")] == [is_marked, False]


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_a_bracket_that_stands_twice_is_marked_as_often_as_it_is_named(times):
    tree = ("S", ("NP", ("NP", ("DT", "the"), ("NN", "cat"))), ("VP", ("VBD", "sat")))
    figure = constituency_trees({"one": tree}, {"one": [("NP", 0, 2)] * times})
    framed = [text for text in figure.axes[0].texts if text.get_bbox_patch() is not None]
    assert len(framed) == min(times, 2)
