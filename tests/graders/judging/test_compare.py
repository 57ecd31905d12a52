"""The comparison: what it accepts, and what is said of the first difference."""

import numpy as np
import pytest
from autograder.authoring.spec import Interval, SpecificationError
from autograder.judging import conceal as concealing
from autograder.judging.compare import equal, fingerprint
from autograder.judging.conceal import conceal
from autograder.judging.differences import difference
from hypothesis import given
from hypothesis import strategies as st

ROUNDED = (
    "is not right: 4 of its digits are right, and 6 are compared: let Python compute it, and do not round"
)


@pytest.fixture(autouse=True, scope="module")
def quick_hashes():
    """Fewer rounds; the salts here are those of no exercise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(concealing, "HASH_ROUNDS", 10)
        yield


EXACT = {"rtol": 1e-4, "atol": 1e-6}
MATRIX = np.arange(1.0, 10.0).reshape(3, 3)


@pytest.mark.parametrize(
    "expected, got",
    [
        (MATRIX, MATRIX.astype(np.float32)),
        (MATRIX, MATRIX * (1 + 1e-6)),
        (MATRIX, MATRIX.tolist()),
        (MATRIX, MATRIX.astype(int)),
        (0.5, np.array(0.5, np.float32)),
        (2, 2.0),
        (np.array([np.nan, np.inf]), np.array([np.nan, np.inf])),
        ((1, 2), [1, 2]),
        ({"a": 1, "b": ["x", None]}, {"b": ["x", None], "a": 1}),
        (Interval(0.4, 0.6), np.array([0.5])),
        (True, np.array(True)),
        (10**30, 10**30),
        (0.5, np.array([0.5])),
        (np.array(7), np.array([7.0])),
        (MATRIX.astype(np.int64), MATRIX.astype(np.int32)),
        (MATRIX.astype(np.int64), MATRIX.astype(np.float32)),
        (np.array([0.0, 1.0]), np.array([-0.0, 1.0])),
        (np.zeros((2, 0), np.int64), [[], []]),
        (np.zeros((0, 3), bool), np.zeros((0, 3))),
        (MATRIX, MATRIX[:, ::-1][:, ::-1]),
        (np.ones((3, 3)), np.broadcast_to(1.0, (3, 3))),
    ],
)
def test_the_same_value_in_another_form_is_right(expected, got) -> None:
    assert equal(expected, got, **EXACT)


@pytest.mark.parametrize(
    "expected, got, told",
    [
        (MATRIX, MATRIX[:2], "shape (2, 3); it should be (3, 3)"),
        (MATRIX, np.where(MATRIX == 6, 0, MATRIX), "1 of 9 numbers; first at [1, 2]: expected 6, got 0"),
        (MATRIX, np.where(MATRIX == 6, np.nan, MATRIX), "has nan at [1, 2]; expected 6"),
        (MATRIX, MATRIX + 1j, "holds complex numbers; it should hold real numbers"),
        (MATRIX > 3, (MATRIX > 3).astype(float), "holds real numbers; it should hold booleans"),
        (MATRIX, None, "not None (is a return missing?)"),
        (MATRIX, "text", "should be a tensor, not a string"),
        (MATRIX, (MATRIX, MATRIX[0]), "should be a tensor, not a tuple of 2 values"),
        (MATRIX, (MATRIX, MATRIX), "should be a tensor, not a tuple of 2 values"),
        (MATRIX, 1.5, "is a single number; it should have shape (3, 3)"),
        (MATRIX[0], MATRIX[0][:, None], "shape (3, 1); it should be (3,). The numbers are right"),
        (
            MATRIX[:2],
            MATRIX[:2].T,
            "it should be (2, 3). The numbers are right, the axes are in another order",
        ),
        (MATRIX[:2], MATRIX[:2].reshape(3, 2), "has shape (3, 2); it should be (2, 3)"),
        (-MATRIX, np.where(MATRIX == 6, -0.0, -MATRIX), "first at [1, 2]: expected -6, got 0"),
        (MATRIX > 3, MATRIX > 4, "differs in 1 of 9 entries; first at [1, 0]: expected True, got False"),
        (10_000, 10_000.9, "is 10000.9; expected 10000"),
        (1.0, 1.001, "is 1.001; expected 1"),
        (0.123456789, 0.12351, "is 0.12351; expected 0.123457"),
        ({"a": 1}, {"b": 1}, "no entry 'a'"),
        ({"a": 1}, {"a": 1, "b": 1}, "an entry 'b' that is not asked for"),
        ([1, "x"], [1], "2 entries, not 1"),
        ("north", "south", "should be 'north', not 'south'"),
        (Interval(0.4, 0.6), 0.7, "the value is 0.7, which is outside what honest runs give"),
        (Interval(0.4, 0.6), float("nan"), "is nan; it should be a finite number"),
        (Interval(0.4, 0.6), [0.5, 0.5], "should be a number"),
        (True, False, "is False; expected True"),
        ([2, 3, 4], [3, 4], "the value is [3, 4]; expected [2, 3, 4]"),
        (10**30, 5, "should be 1000000000000000000000000000000, not 5"),
    ],
)
def test_a_wrong_value_is_described(expected, got, told: str) -> None:
    assert not equal(expected, got, **EXACT)
    assert told in difference(expected, got, **EXACT)


def test_a_refused_measurement_shows_nothing_of_the_interval() -> None:
    for value in (0.7, 0.39999, 0.60001, -1e9):
        one, other = (difference(Interval(*ends), value, **EXACT) for ends in ((0.4, 0.6), (7.0, 9.0)))
        assert one == other


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=6))
def test_any_numbers_are_compared_without_a_warning(numbers: list[float]) -> None:
    array = np.array(numbers)
    assert equal(array, array.copy(), **EXACT)
    with np.errstate(all="ignore"):
        other = np.flip(array) * 3 + 1e200
    difference(array, other, **EXACT)
    fingerprint({"output": array}, [])


def test_a_fingerprint_is_of_the_numbers_not_of_their_form() -> None:
    one = fingerprint({"output": MATRIX}, [])
    assert one.matches(fingerprint({"output": MATRIX.astype(np.float32)}, []), 1e-4, 1e-6)
    assert one.matches(fingerprint({"output": MATRIX.tolist()}, []), 1e-4, 1e-6)


@pytest.mark.parametrize(
    "other, changed",
    [(MATRIX.T, []), (MATRIX + 0.01, []), (MATRIX.reshape(1, 9), []), (MATRIX * np.nan, []), (MATRIX, ["x"])],
)
def test_a_fingerprint_tells_other_outputs_apart(other: np.ndarray, changed: list[str]) -> None:
    assert not fingerprint({"output": MATRIX}, []).matches(
        fingerprint({"output": other}, changed), 1e-4, 1e-6
    )


def test_nan_and_infinity_have_places_in_a_fingerprint() -> None:
    prints = [
        fingerprint(np.array(a), []) for a in ([np.nan, 0.0], [0.0, np.nan], [np.inf, 0.0], [-np.inf, 0.0])
    ]
    assert all(one is other or not one.matches(other, 1e-4, 1e-6) for one in prints for other in prints)


@pytest.mark.parametrize(
    "expected, rights, wrongs",
    [
        (75, [75, 75.0, [75]], [74, 75.001, "75", True, None, [75, 75]]),
        (0.693147180559945, [0.693147, 0.6931472, np.float32(np.log(2)).item()], [0.69315, 0.693, 1.0]),
        (9.999999, [10.0, 9.999999, 9.999997], [10.001, 9.9999]),
        (0.0, [0.0, 0, 1e-9, -1e-9], [1e-3, 1]),
        (1e-7 * 2.5, [2.5e-7], [2.6e-7]),
        (-3.5, [-3.5], [3.5]),
        (float("nan"), [float("nan")], [0.0, float("inf")]),
        (float("-inf"), [float("-inf")], [0.0, float("inf"), -1e308]),
        (True, [True], [1, False]),
        ("O(n^2 d)", ["o(n^2 d)", " O(n^2  d) "], ["O(n d)"]),
        ([1, 2.5, "a"], [[1, 2.5, "a"], (1.0, 2.5, "A")], [[1, 2.5], [2.5, 1, "a"]]),
    ],
)
def test_a_concealed_value_is_recognized_up_to_rounding(expected, rights: list, wrongs: list) -> None:
    hidden = conceal(expected, "salt", 6)
    assert [got for got in rights if not hidden.equals(got)] == []
    assert [got for got in wrongs if hidden.equals(got)] == []


@given(st.floats(min_value=1e-5, max_value=1e5), st.sampled_from([-1, 1]))
def test_rounding_never_costs_a_right_derivation(value: float, sign: int) -> None:
    assert conceal(sign * value, "s", 6).equals(sign * value * (1 + 1e-8))


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan"), {"a": 1}, ..., [[]], -(10**1200)])
def test_any_answer_to_a_derivation_gets_a_verdict(value) -> None:
    assert not conceal(1.5, "s", 6).equals(value)


@pytest.mark.parametrize(
    "expected, got, told",
    [
        (0.394278, 0.39428, ROUNDED),
        (0.394278, 0.3943, ROUNDED),
        (0.394278, 0.39, "is not right"),
        (0.394278, 0.3952, "is not right"),
        (0.394278, 0.5, "is not right"),
        (4095, 4111, "is not right"),
        (4095, 4096, "is not right: it is off by one"),
        (96.0, 48.0, "is not right: it is off by a factor of 2"),
        (0.394278, -0.394278, "is not right: its sign is wrong"),
        (0.394278, 1 / 0.394278, "is not right: one over it is asked for"),
        (0.394278, 0.605722, "is not right: one minus it is asked for"),
        (1.48338, 0.3943230, "is not right: a logarithm or an exponential is missing or too many"),
        (96.0, 9216.0, "is not right: a root or a square is missing or too many"),
        (0.394278, 0.394278 / np.log(2), "is not right: it is in bits or nats, and the other is asked for"),
        (0.8085, 80.85, "is not right: it is a share or a percentage, and the other is asked for"),
        ([1, 2.5, 7], [1, -2.5, 8], "is not right at 1, 2 (counted from 0): its sign is wrong"),
        (4095, "4095", "is not right: '4095' is text; write it without quotes"),
        ([True, False], ["True", "False"], "is not right: 'True' is text; write it without quotes"),
        (4095, None, "is not right: a value is None"),
        (0.394278, float("nan"), "is not right: a value is nan"),
        ([True, False], [True], "has 1 value; it should have 2 values"),
        ([True, False, True], [True, True, True], "is not right: 1 of its 3 values is wrong"),
        (True, False, "is not right"),
        ([True, False], [True, ...], "is not right: a value is still ..."),
        (4095, np.zeros(10**6), "has 1000000 values; it should have 1 value"),
        (4095, 10**400, "is not right"),
    ],
)
def test_a_wrong_derivation_is_described_by_its_form_or_its_slip(expected, got, told: str) -> None:
    assert conceal(expected, "salt", 6, telling=True).advice(got, {}) == told


def test_a_value_that_another_name_asks_for_is_called_so() -> None:
    hidden = {
        name: conceal(value, name, 6, telling=True) for name, value in (("rate", 0.394278), ("share", 0.7))
    }
    assert (
        hidden["rate"].advice(0.7, {"share": hidden["share"]}) == "is not right: it is what share should be"
    )
    assert hidden["rate"].advice(0.71, {"share": hidden["share"]}) == "is not right"


DERIVED = st.one_of(st.booleans(), st.floats(1e4, 1e6), st.text("abc", min_size=6))
FAR = st.one_of(st.integers(-9, 9), st.floats(-9, 9), st.just(np.nan), st.none(), st.text("xyz"))


@given(DERIVED, DERIVED, FAR)
def test_what_is_said_of_a_derivation_that_is_far_off_depends_on_nothing_that_is_expected(
    one, other, got
) -> None:
    assert conceal(one, "s", 6).advice(got, {}) == conceal(other, "s", 6).advice(got, {})


def test_too_much_to_conceal_is_an_error_of_the_author() -> None:
    with pytest.raises(SpecificationError, match="at most 16"):
        conceal(list(range(17)), "01.2/count", 6)


def test_a_concealed_value_shows_nothing_of_itself() -> None:
    hidden = conceal(0.6931, "salt", 4)
    assert "6931" not in repr(hidden)
    assert conceal(0.6931, "other", 4).digests != hidden.digests
