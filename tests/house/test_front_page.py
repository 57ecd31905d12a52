"""The first page: its map says what the chapters say, and what it shows comes from where it is kept."""

import pytest
from front_page import (
    Chapter,
    arrows,
    chapters,
    clock,
    code_and_output,
    colophon,
    hours_of,
    needs_in_words,
    needs_of,
    read_plan,
)

TEXT = """*Needs*: the block ([chapter 3](03_c.ipynb)), and [1](01_a.ipynb); only the idea of [2](02_b.ipynb).
*Gives*: a model ([chapter 9](09_x.ipynb)).
*Time*: one and a half hours, and three more for the [exercises](../exercises/04_d/exercise.ipynb)."""


def chapter(number: int, needs: set[int], partly: set[int]) -> Chapter:
    return Chapter(f"{number:02}_x", "X", 0, 0, frozenset(needs), frozenset(partly), 1.0, 1.0)


def test_a_chapter_says_what_it_needs_in_full_and_in_part_and_how_long_it_takes() -> None:
    for text in (TEXT, TEXT.replace("\n", " ")):
        assert needs_of(text) == ({1, 3}, {2}), "read the line *Needs* up to *Gives*, a clause at a time"
        assert hours_of(text) == (1.5, 3.0), "read the hours of the line *Time*"
    with pytest.raises(ValueError, match=r"write the line \*Time\*"):
        hours_of("no time")


def test_the_map_draws_what_a_chapter_builds_on_once() -> None:
    found = [
        chapter(1, set(), set()),
        chapter(2, {1}, set()),
        chapter(3, {1, 2}, set()),
        chapter(4, {3}, {1, 2}),
    ]
    assert arrows(found) == [(1, 2, False), (2, 3, False), (3, 4, False)], (
        "leave out what follows from others"
    )
    drawn = arrows([*found[:3], chapter(4, {1}, {2})])
    assert drawn[2:] == [(1, 4, False), (2, 4, True)], "what is needed in part implies nothing in full"
    assert needs_in_words(4, drawn) == "after 1, a little of 2", "say what is needed in part"


def test_every_chapter_of_the_plan_stands_on_earlier_ones_and_takes_time() -> None:
    found = chapters()
    assert [one.number for one in found] == list(range(1, 21)), "the map shows the plan's chapters in order"
    for one in found:
        needs = one.needs | one.partly
        assert max(needs, default=0) < one.number, (
            f"chapter {one.number} needs only earlier ones, not {sorted(needs)}"
        )
        assert needs or one.number == 1, f"name in *Needs* the chapters that chapter {one.number} builds on"
    assert all(len(part["chapters"]) == 5 for part in read_plan()), (
        "set ROWS of tools/front_page.py to the longest part"
    )


def test_a_cell_is_shown_with_what_it_prints() -> None:
    code, printed = code_and_output("06_self_attention", "scores = Q")
    assert code.splitlines()[-1] == "output = alpha @ V @ W_c", "show the lines up to a blank one"
    assert printed.startswith("scores "), "show what the cell prints"
    with pytest.raises(ValueError, match="0 cells of chapter 06_self_attention"):
        code_and_output("06_self_attention", "no such line")


def test_half_hours_are_written_short() -> None:
    assert [clock(hours) for hours in (0.5, 2.0, 2.5)] == ["½", "2", "2½"], "write 2½ for two and a half"


def test_an_address_is_named_only_where_there_is_one() -> None:
    citation = {
        "title": "T",
        "version": "1",
        "date-released": "2026-01-02",
        "authors": [{"name": "The authors of T"}],
    }
    (line,), entry = colophon(citation, "")
    assert "live at" not in line and "url" not in entry, "say nothing of an address that is not set"
    (line,), entry = colophon(citation, "https://example.org/t")
    assert "<https://example.org/t>" in line and "url = {https://example.org/t}" in entry, "name the address"
    two = [{"given-names": "Ada", "family-names": "L"}, {"given-names": "Emmy", "family-names": "N"}]
    (line,), entry = colophon({**citation, "authors": two}, "")
    assert "by Ada L and Emmy N;" in line and "{Ada L} and {Emmy N}" in entry, "name all authors"
