"""Small pictures and questions about them: shapes on a grid, for attention from words to places.

A picture is a grid of cells, each empty or with a shape of 6 by 6 pixels. A question asks how many shapes of
a kind there are, or what stands beside the one shape of its kind. Nothing is downloaded, and a seed draws the
same pictures and questions on every platform.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import UInt8

from transformer_lib.checks import check_not_negative, check_positive
from transformer_lib.data.corpus import shuffled

CELL = 6
GLYPHS = {
    "square": ("......", ".####.", ".#..#.", ".#..#.", ".####.", "......"),
    "cross": ("......", ".#..#.", "..##..", "..##..", ".#..#.", "......"),
    "bar": ("......", "......", ".####.", ".####.", "......", "......"),
    "pole": ("......", "..##..", "..##..", "..##..", "..##..", "......"),
    "corner": ("......", ".#....", ".#....", ".#....", ".####.", "......"),
    "roof": ("......", "..##..", ".#..#.", ".#..#.", "......", "......"),
}
SHAPES = tuple(GLYPHS)
NUMBERS = ("none", "one", "two", "three", "four")
SIDES = {"left of": (0, -1), "right of": (0, 1), "above": (-1, 0), "below": (1, 0)}
KINDS = ("count", "neighbor")
NOTHING = "nothing"

Grid = list[list[str | None]]


@dataclass(frozen=True)
class VisualQuestions:
    """Pictures, each with a question and its answer.

    Attributes
    ----------
    images
        Pixels of 0, paper, and 1, ink.
    questions, answers
        In words separated by spaces. Every answer is one word, and one of `answer_words`.
    answer_words
        All possible answers to these kinds of questions.
    """

    images: UInt8[np.ndarray, "n height width"]
    questions: Sequence[str]
    answers: Sequence[str]
    answer_words: Sequence[str]


def load_visual_questions(
    n: int, *, rows: int = 2, columns: int = 3, kinds: Sequence[str] = KINDS, seed: int = 0
) -> VisualQuestions:
    """Draw `n` pictures of `rows` by `columns` cells, with a question each.

    Questions of kind ``"count"`` are *how many crosses are there*, answered by *none* to *four*, all equally
    often if there are enough cells; those of kind ``"neighbor"`` are *what is left of the cross*, where
    there is exactly one cross and a cell left of it, answered by a shape or, if the cell is empty, by
    *nothing*. Without the picture the best answer to either is a guess: one in five, or in six, is right.

    Draw the parts of an experiment with different seeds. On a grid of few cells some pictures, rarely with
    the same question, are then in both.

    Raises
    ------
    ValueError
        If a size is below 1, the seed negative, or a kind unknown, if there is no kind, or if neighbors are
        asked for where there is only one cell.
    """
    check_positive(n=n, rows=rows, columns=columns)
    check_not_negative(seed=seed)
    if not kinds or not set(kinds) <= set(KINDS):
        raise ValueError(f"kinds of questions {list(kinds)}: give one or more of {', '.join(KINDS)}")
    if "neighbor" in kinds and rows * columns == 1:
        raise ValueError("a picture of one cell has no neighbors: give more rows or columns")
    draw = random.Random(seed).random
    images, questions, answers = [], [], []
    for _ in range(n):
        ask = _count if _choose(draw, kinds) == "count" else _neighbor
        grid, question, answer = ask(draw, rows, columns)
        images.append(_paint(grid))
        questions.append(question)
        answers.append(answer)
    possible = NUMBERS[: rows * columns + 1] if "count" in kinds else ()
    if "neighbor" in kinds:
        possible += (NOTHING, *SHAPES)
    return VisualQuestions(np.stack(images), questions, answers, possible)


def _count(draw: Callable[[], float], rows: int, columns: int) -> tuple[Grid, str, str]:
    asked = _choose(draw, SHAPES)
    number = int(draw() * min(len(NUMBERS), rows * columns + 1))
    cells = [asked] * number + [_other(draw, asked) for _ in range(rows * columns - number)]
    return _grid(draw, cells, columns), f"how many {_plural(asked)} are there", NUMBERS[number]


def _neighbor(draw: Callable[[], float], rows: int, columns: int) -> tuple[Grid, str, str]:
    asked = _choose(draw, SHAPES)
    cells = [asked] + [_other(draw, asked) for _ in range(rows * columns - 1)]
    grid = _grid(draw, cells, columns)
    row, column = next((r, c) for r in range(rows) for c in range(columns) if grid[r][c] == asked)
    inside = {
        side: grid[row + down][column + right] or NOTHING
        for side, (down, right) in SIDES.items()
        if 0 <= row + down < rows and 0 <= column + right < columns
    }
    side = _choose(draw, tuple(inside))
    return grid, f"what is {side} the {asked}", inside[side]


def _choose(draw: Callable[[], float], choices: Sequence[str]) -> str:
    return choices[int(draw() * len(choices))]


def _other(draw: Callable[[], float], asked: str) -> str | None:
    """Another shape, or with the same probability as each of them an empty cell."""
    others = [*(shape for shape in SHAPES if shape != asked), None]
    return others[int(draw() * len(others))]


def _grid(draw: Callable[[], float], cells: list[str | None], columns: int) -> Grid:
    """The cells in a random order, row by row."""
    cells = shuffled(cells, draw)
    return [cells[begin : begin + columns] for begin in range(0, len(cells), columns)]


def _plural(shape: str) -> str:
    return shape + ("es" if shape.endswith("s") else "s")


def _paint(grid: Grid) -> UInt8[np.ndarray, "height width"]:
    blank = ("." * CELL,) * CELL
    lines = []
    for row in grid:
        glyphs = [blank if shape is None else GLYPHS[shape] for shape in row]
        lines += ["".join(glyph[y] for glyph in glyphs) for y in range(CELL)]
    return np.array([[pixel == "#" for pixel in line] for line in lines], dtype=np.uint8)
