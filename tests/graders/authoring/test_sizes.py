"""Sizes are drawn so that each axis is 1, equals another and is far longer than the rest."""

import itertools

import pytest
from autograder.authoring import sizes
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

AXES = {"batch": 3, "queries": 5, "keys": 6, "heads": (1, 4)}


@given(st.integers(0, 2**32 - 1))
def test_the_cases_reach_what_the_docstring_says(seed: int) -> None:
    cases = list(sizes(default_rng(seed), far={"keys": 100}, **AXES))
    assert len(cases) == 2 + 4 + 1 + 1
    assert cases[0] == cases[1] and len(set(cases[0])) == 4 and 1 not in cases[0]
    for axis in range(4):
        assert [i for i, size in enumerate(cases[2 + axis]) if size == 1] == [axis]
    assert len(set(cases[6])) == 1 and cases[6][0] > 1
    assert 100 <= cases[7][2] <= 112 and max(size for i, size in enumerate(cases[7]) if i != 2) <= 5
    for one, other in itertools.combinations(range(4), 2):
        assert {case[one] == case[other] for case in cases} == {True, False}


def test_two_seeds_have_other_sizes_and_one_seed_has_the_same() -> None:
    drawn = [tuple(sizes(default_rng(seed), **AXES)) for seed in (0, 0, 1, 2)]
    assert drawn[0] == drawn[1] and len(set(drawn)) == 3


def test_ends_that_leave_no_choice_are_kept() -> None:
    assert list(sizes(default_rng(0), rows=(2, 2), columns=1)) == [(2, 1), (2, 1)]
    assert {len(set(case)) for case in sizes(default_rng(0), a=(2, 3), b=(5, 6))} == {2}
    with pytest.raises(ValueError, match="far names 'keys', which is none of the axes rows"):
        list(sizes(default_rng(0), rows=2, far={"keys": 9}))
