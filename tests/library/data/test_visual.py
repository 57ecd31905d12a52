"""Pictures show what their questions ask about, and the answers are right."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_lib.data import load_visual_questions
from transformer_lib.data.visual import CELL, GLYPHS, KINDS, NOTHING, NUMBERS, SHAPES

# rows down and columns to the right of the shape that is named
SIDES = {"left of": (0, -1), "right of": (0, 1), "above": (-1, 0), "below": (1, 0)}
PIXELS = {
    name: np.array([[pixel == "#" for pixel in line] for line in glyph]) for name, glyph in GLYPHS.items()
}


def grid_in(image):
    """What stands in each cell, read off the pixels."""
    cells = image.reshape(image.shape[0] // CELL, CELL, -1, CELL).swapaxes(1, 2)
    empty = {NOTHING: np.zeros((CELL, CELL), dtype=bool)}
    return [
        [next(name for name, pixels in (PIXELS | empty).items() if (cell == pixels).all()) for cell in row]
        for row in cells
    ]


def answer_to(grid, question):
    shapes = [shape for row in grid for shape in row]
    words = question.split()
    if words[0] == "how":
        name = next(s for s in SHAPES if words[2] in (s + "s", s + "es"))
        return NUMBERS[shapes.count(name)]
    side, name = " ".join(words[2:-2]), words[-1]
    assert shapes.count(name) == 1
    place = shapes.index(name)
    row, column = place // len(grid[0]) + SIDES[side][0], place % len(grid[0]) + SIDES[side][1]
    assert row >= 0 and column >= 0
    return grid[row][column]


def test_shapes_differ_in_many_pixels_and_fit_their_cells():
    for name, pixels in PIXELS.items():
        assert pixels.shape == (CELL, CELL)
        assert all((pixels != other).sum() >= 4 for key, other in PIXELS.items() if key != name)


@settings(max_examples=25)
@given(st.integers(1, 20), st.integers(1, 4), st.integers(1, 4), st.integers(0, 99))
def test_every_answer_can_be_read_off_the_picture(n, rows, columns, seed):
    kinds = KINDS if rows * columns > 1 else ("count",)
    data = load_visual_questions(n, rows=rows, columns=columns, kinds=kinds, seed=seed)
    assert data.images.shape == (n, rows * CELL, columns * CELL) and data.images.dtype == np.uint8
    assert len(data.questions) == len(data.answers) == n
    assert set(data.answers) <= set(data.answer_words)
    for image, question, answer in zip(data.images, data.questions, data.answers):
        assert answer_to(grid_in(image), question) == answer


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "most"), [("count", 0.25), ("neighbor", 0.22)])
def test_without_the_picture_no_answer_is_much_better_than_another(kind, most):
    """The commonest answer to each question, of all that were asked often."""
    data = load_visual_questions(6000, kinds=[kind])
    by_question = {}
    for question, answer in zip(data.questions, data.answers):
        by_question.setdefault(question, Counter())[answer] += 1
    assert len(by_question) == (6 if kind == "count" else 24)
    right = sum(counts.most_common(1)[0][1] for counts in by_question.values())
    assert right / 6000 < most


def test_a_seed_fixes_everything_and_another_draws_again():
    first, same, other = (load_visual_questions(40, seed=seed) for seed in (3, 3, 4))
    assert np.array_equal(first.images, same.images) and first.questions == same.questions
    assert first.answers == same.answers
    assert not np.array_equal(first.images, other.images)


def test_the_draw_is_the_same_on_every_platform():
    data = load_visual_questions(3)
    assert list(zip(data.questions, data.answers)) == [
        ("what is right of the corner", "roof"),
        ("what is left of the pole", "nothing"),
        ("how many poles are there", "four"),
    ]
    assert grid_in(data.images[0]) == [["corner", "roof", "pole"], ["bar", "cross", "bar"]]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n": 0}, "n must be at least 1; got 0"),
        ({"n": 1, "columns": 0}, "columns must be at least 1; got 0"),
        ({"n": 1, "seed": -1}, "seed must be at least 0; got -1"),
        ({"n": 1, "kinds": ["hue"]}, "give one or more of count, neighbor"),
        ({"n": 1, "kinds": []}, "give one or more of count, neighbor"),
        ({"n": 1, "rows": 1, "columns": 1}, "one cell has no neighbors"),
    ],
)
def test_what_cannot_be_drawn_is_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        load_visual_questions(**settings)
