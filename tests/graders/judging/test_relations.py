"""General relations of wrong numbers to right ones: what is said, and that nothing is said by chance."""

import itertools
import re

import numpy as np
import pytest
from autograder.authoring.spec import Interval
from autograder.judging.compare import equal
from autograder.judging.relations import Outcome, remarks

RNG = np.random.default_rng(7)
SHAPES = ((3, 4, 5), (2, 6, 3))
INPUTS = [
    {
        "x": RNG.standard_normal(shape),
        "b": RNG.standard_normal((4, shape[-1])),
        "mask": RNG.random(shape) < 0.5,
        "lengths": np.arange(1, shape[0] + 1) + 1,
    }
    for shape in SHAPES
]
PLAIN = [RNG.standard_normal(shape) for shape in SHAPES]
SQUARE = [RNG.standard_normal((2, n, n)) for n in (3, 4)]
SHARES = [np.exp(a) / np.exp(a).sum(-1, keepdims=True) for a in PLAIN]


def said(expected, wrong, inputs=INPUTS, name: str = "output", **more: float) -> str:
    tolerances = {"rtol": 1e-4, "atol": 1e-5} | more
    outcomes = [
        Outcome(given, {name: one}, {name: other}, **tolerances)
        for given, one, other in zip(inputs, expected, wrong)
    ]
    won = [equal(one, other, **tolerances) for one, other in zip(expected, wrong)]
    return remarks(outcomes, won, won.index(False))


def each(change, arrays=PLAIN):
    return [change(a.copy()) for a in arrays]


def put(array: np.ndarray, where, value) -> np.ndarray:
    array = array.copy()
    array[where] = value
    return array


@pytest.mark.parametrize(
    "expected, change, told",
    [
        (PLAIN, lambda a: -a, "All numbers are the negatives of the expected ones: the sign is wrong."),
        (PLAIN, lambda a: 3.7 * a, "All numbers are the expected ones times 3.7."),
        (PLAIN, lambda a: a / np.log(2), "All numbers are the expected ones times 1.443, which is 1/ln 2."),
        (
            PLAIN,
            lambda a: a / a.shape[1] ** 0.5,
            "the expected ones times 1 over the square root of the size of dim 1 of x.",
        ),
        (PLAIN, lambda a: a * 0, "All numbers are 0."),
        (PLAIN, lambda a: a + 0.5, "All numbers are +0.5 from the expected ones."),
        (
            PLAIN,
            lambda a: a - np.log(a.shape[2]),
            "the expected ones plus minus the logarithm of the size of dim 2",
        ),
        (PLAIN, np.exp, "All numbers are the exponentials of the expected ones."),
        (SHARES, np.log, "All numbers are the logarithms of the expected ones."),
        (SHARES, lambda a: -np.log2(a) * np.log(2), "the negative logarithms of the expected ones."),
        (SHARES, np.sqrt, "All numbers are the square roots of the expected ones."),
        (SHARES, lambda a: 1 - a, "All numbers are 1 minus the expected ones."),
        (SHARES, lambda a: a ** (1 / np.log(2)), "the expected ones to the power of 1.443, which is 1/ln 2."),
        (PLAIN, lambda a: 1 / (1 + np.exp(-a)), "All numbers are the sigmoids of the expected ones."),
        (
            PLAIN,
            lambda a: np.exp(a) / np.exp(a).sum(-1, keepdims=True),
            "The rows are the softmaxes of the expected ones.",
        ),
        (
            PLAIN,
            lambda a: a * np.arange(2, a.shape[0] + 2)[:, None, None],
            "All numbers are the expected ones times lengths, each with its own.",
        ),
        (
            SHARES,
            lambda a: a / a.sum(1, keepdims=True),
            "The numbers sum to 1 along dim 1; the expected ones do so along dim 2.",
        ),
        (
            SHARES,
            lambda a: a * np.exp(RNG.standard_normal((*a.shape[:-1], 1))),
            "Each row is the expected one times its sum: it is not normalized.",
        ),
        (
            PLAIN,
            lambda a: a - np.log(np.exp(a).sum(-1, keepdims=True)),
            "Each row is the expected one plus a number",
        ),
        (
            SHARES,
            lambda a: a**2.5 / (a**2.5).sum(-1, keepdims=True),
            "The rows are softmaxes of the right exponents times 2.5.",
        ),
        (SQUARE, lambda a: np.swapaxes(a, 1, 2), "The last two axes are swapped."),
        (PLAIN, lambda a: a[:, ::-1], "The numbers are right, in reverse order along dim 1."),
        (PLAIN, lambda a: np.roll(a, 1, 2), "The numbers are right, turned by one place along dim 2."),
        (
            PLAIN,
            lambda a: np.concatenate([np.zeros_like(a[:, :1]), a[:, :-1]], 1),
            "They stand one place too late along dim 1.",
        ),
        (PLAIN, lambda a: np.cumsum(a, 1), "They are the running sums of the expected ones along dim 1."),
        (PLAIN, lambda a: a[:1].repeat(len(a), 0), "Along dim 0 all are the expected first one."),
        (PLAIN, lambda a: a[:, [2, 0, 1, *range(3, a.shape[1])]], "in another order along dim 1."),
        (PLAIN, lambda a: np.sort(a, -1), "Each row holds the right numbers in another order."),
        (PLAIN, lambda a: a.astype(np.float16), "All numbers are within 0.1 % of the expected ones"),
        ([a > 0 for a in PLAIN], lambda a: ~a, "True and False are exchanged."),
        (SHARES, lambda a: a - 0.3 + 0.1 * a**2, "The rows should sum to 1; yours sum to"),
    ],
)
def test_a_relation_is_told(expected, change, told: str) -> None:
    assert told in said(expected, each(change, expected))


def test_a_relation_is_told_of_the_wrong_numbers_alone() -> None:
    wrong = [put(a, np.s_[:, 1], 2 * a[:, 1]) for a in PLAIN]
    assert said(PLAIN, wrong) == (
        "The wrong numbers are the expected ones times 2. Only place 1 along dim 1 (counted from 0) is wrong."
    )


def test_a_power_that_is_shown_as_1_is_not_told() -> None:
    large = [np.exp(12 + a) for a in PLAIN]
    wrong = [a * (1 + 0.002 * (-1.0) ** np.arange(a.size).reshape(a.shape)) for a in large]
    assert "power" not in said(large, wrong)


def test_a_relation_of_one_case_alone_is_not_told() -> None:
    assert "times" not in said(PLAIN, [2 * PLAIN[0], PLAIN[1] ** 3])
    assert said(PLAIN, [-PLAIN[0], 2 * PLAIN[1] + 1]) == ""


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_told_of_numbers_that_have_nothing_to_do_with_each_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for shape in ((), (2,), (3, 2), (2, 3, 4)):
        expected, wrong = ([rng.standard_normal(shape) for _ in range(2)] for _ in range(2))
        assert said(expected, wrong) == ""


UNRELATED = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "shares": lambda rng, shape: rng.random(shape),
    "counts": lambda rng, shape: rng.integers(0, 4, shape),
    "whole floats": lambda rng, shape: rng.integers(-2, 3, shape).astype(float),
    "indices": lambda rng, shape: rng.integers(0, 20, shape),
    "quarters": lambda rng, shape: rng.integers(0, 5, shape) / 4,
    "tenths": lambda rng, shape: (rng.integers(0, 30, shape) / 10).astype(np.float32),
    "alike": lambda rng, shape: -200 - rng.random(shape),
    "steep": lambda rng, shape: np.exp(3 * rng.standard_normal(shape)),
    "booleans": lambda rng, shape: rng.random(shape) < 0.5,
}


def told_by_chance(kind: str, seed: int) -> str:
    """What is said, but for which cases are right, where a share of the numbers is drawn anew."""
    rng = np.random.default_rng([seed, *kind.encode()])
    draw, share, ndim = UNRELATED[kind], rng.choice([1, 0.5, 0.2]), int(rng.integers(0, 4))
    expected, wrong, inputs = [], [], []
    for _ in range(rng.integers(1, 9)):
        shape = tuple(rng.integers(1, 5, ndim))
        expected.append(np.asarray(draw(rng, shape)))
        wrong.append(np.where(rng.random(shape) < share, draw(rng, shape), expected[-1]))
        given = {
            "x": rng.standard_normal(shape),
            "codes": rng.integers(0, 4, shape),
            "n": int(rng.integers(1, 4)),
        }
        given |= {"mask": rng.random(shape) < 0.5, "b": rng.standard_normal((3, *shape[-1:]))}
        inputs.append(given | ({"lengths": rng.integers(1, 4, shape[:1])} if ndim else {}))
    if all(equal(one, other, rtol=1e-4, atol=1e-5) for one, other in zip(expected, wrong)):
        return ""
    return re.sub(r"Cases? [\d, andto]+ (is|are) right( \(.*\))?\.", "", said(expected, wrong, inputs))


@pytest.mark.slow
@pytest.mark.parametrize("kind", UNRELATED)
def test_no_relation_is_met_by_chance_in_2000_wrong_answers(kind: str) -> None:
    told = {seed: one for seed in range(200) if (one := told_by_chance(kind, seed))}
    assert not told


@pytest.mark.parametrize("kind", UNRELATED)
def test_no_relation_is_met_by_chance(kind: str) -> None:
    assert not {seed: one for seed in range(1000, 1010) if (one := told_by_chance(kind, seed))}


@pytest.mark.parametrize(
    "change", [np.exp2, np.square, lambda e: 2 * e, lambda e: e + 3, lambda e: np.cumsum(e, 1)]
)
def test_whole_numbers_are_not_computed_from_one_another(change) -> None:
    counts = [RNG.integers(2, 9, shape) for shape in SHAPES]
    for expected in (counts, [c.astype(float) for c in counts]):
        assert "expected" not in said(expected, each(change, expected))


def test_of_an_axis_of_one_nothing_is_told() -> None:
    thin = [RNG.standard_normal((n, m, 1)) for n, m in ((3, 4), (2, 6))]
    for change in (lambda a: a * RNG.standard_normal(a.shape), lambda a: a + RNG.standard_normal(a.shape)):
        assert said(thin, each(change, thin)) == ""


def test_numbers_that_are_nearly_all_the_same_are_in_no_order() -> None:
    rows = [np.ones(a.shape[:2]) for a in PLAIN]
    assert said(rows, [row - 5e-4 + 1e-5 * a[..., 0] for row, a in zip(rows, PLAIN)]) in (
        "",
        "All numbers are too small.",
    )


def test_an_input_that_is_handed_back_or_added_is_named() -> None:
    assert said(PLAIN, [given["x"] for given in INPUTS]) == "It is the input x as it came."
    assert "the expected numbers plus b[2, :]." in said(PLAIN, [a + g["b"][2] for a, g in zip(PLAIN, INPUTS)])
    assert "the expected numbers minus b[0, :]." in said(
        PLAIN, [a - g["b"][0] for a, g in zip(PLAIN, INPUTS)]
    )


def test_an_input_without_numbers_is_compared_with_nothing() -> None:
    empty = [{"start": np.zeros((0, 3))} | given for given in INPUTS]
    assert said(PLAIN, [given["x"] for given in INPUTS], empty) == "It is the input x as it came."


def test_zeros_are_not_taken_for_an_input_that_is_0_there() -> None:
    expected = [np.asarray(x**0.5) for x in (2.0, 7.0, 0.3, 11.0, 5.0)]
    given = [{"y": y, "x": np.arange(5.0) + y} for y in (0, 0, 0, 0, 3)]
    told = said(expected, [np.asarray(0.0)] * 4 + [expected[-1]], given)
    assert "input" not in told


def test_a_list_of_numbers_has_relations_as_an_array_has() -> None:
    losses = [[2.1, 1.7, 1.1, 0.9], [3.2, 3.1, 2.2, 1.3]]
    wrong = [[2 * x for x in row] for row in losses]
    assert "the expected ones times 2" in said(losses, wrong)


def gradients_said(change) -> str:
    outcomes = [Outcome(g, {"gradient of x": a}, {"gradient of x": b}, 1e-4, 1e-5) for g, a, b in change]
    won = [o.right("gradient of x") for o in outcomes]
    return remarks(outcomes, won, won.index(False))


def test_a_gradient_is_said_to_be_cut_off_if_it_is_zero_wherever_it_should_not_be() -> None:
    zero, other = np.zeros((2, 3)), PLAIN[0][0, :2, :3]
    cut = "something cuts it off"
    assert cut in gradients_said([({}, other, zero), ({}, 2 * other, zero), ({}, zero, zero)])
    assert cut not in gradients_said([({}, other, zero), ({}, zero, zero)]), "one case tells nothing"
    assert cut not in gradients_said([({}, other, zero), ({}, 2 * other, zero), ({}, -other, -other)])
    assert cut not in gradients_said([({}, other, zero), ({}, 2 * other, other)])


@pytest.mark.parametrize(
    "sizes, wrong, told",
    [
        ((3, 5, 4, 150), (0, 0, 0, 1), "the size of x is 150 or more; in the others it is at most 5."),
        ((3, 0, 4, 5), (0, 1, 0, 0), "the size of x is 0."),
        ((2, 3, 4, 13), (0, 0, 0, 1), ""),
        ((3, 5, 60, 150), (0, 0, 0, 1), ""),
        ((3, 5, 90, 150), (0, 0, 0, 1), ""),
        ((3, 5, 150), (0, 0, 1), ""),
    ],
)
def test_cases_that_lie_far_from_all_others_are_told(sizes, wrong, told: str) -> None:
    inputs = [{"x": RNG.standard_normal(size)} for size in sizes]
    right = [np.asarray(float(size) ** 0.5 + 1) for size in sizes]
    found = said(right, [r + bad for r, bad in zip(right, wrong)], inputs)
    assert ("Wrong are the cases" in found) == bool(told) and told in found


@pytest.mark.parametrize("factor, told", [(1e4, "or more; in the others"), (1e-7, "is at most"), (3, "")])
def test_cases_of_large_or_small_numbers_are_told(factor: float, told: str) -> None:
    inputs = [{"x": RNG.uniform(1, 2, 6) * (factor if i == 2 else 1)} for i in range(5)]
    right = [np.asarray(i + 0.3) for i in range(5)]
    found = said(right, [r + (i == 2) for i, r in enumerate(right)], inputs)
    assert told in found and ("the largest number of x, in size," in found) == bool(told)


def test_cases_in_which_an_input_is_zero_or_true_are_told_if_there_are_enough() -> None:
    right = [np.asarray(i + 0.3) for i in range(9)]
    rates = (0, 0.5, 0, 0.2, 0.7, 0, 0.1, 0.6, 0.3)
    inputs = [{"rate": rate, "training": not rate} for rate in rates]
    told = said(right, [r + (not rate) for r, rate in zip(right, rates)], inputs)
    assert "Wrong are the cases in which rate is 0, and no others." in told
    assert "in which" not in said(right[:3], [r + (not rate) for r, rate in zip(right[:3], rates)], inputs)
    told = said(right, [r + bool(rate) for r, rate in zip(right, rates)], inputs)
    assert "Wrong are the cases in which training is False, and no others." in told


@pytest.mark.parametrize(
    "where, told",
    [
        (lambda a, g: np.s_[:, 0], "Only the first place along dim 1 is wrong."),
        (lambda a, g: np.s_[:, :, -1], "Only the last place along dim 2 is wrong."),
        (
            lambda a, g: np.s_[:, 1:],
            "The first place along dim 1 is right, all others have numbers that are wrong.",
        ),
        (lambda a, g: np.s_[:, 2:], "The first 2 places along dim 1 are right, the others are not."),
        (lambda a, g: g["mask"], "The numbers are wrong exactly where mask is True."),
        (lambda a, g: ~g["mask"], "The numbers are wrong exactly where mask is False."),
        (
            lambda a, g: np.arange(a.shape[1]) >= g["lengths"][:, None],
            "The numbers are wrong exactly where the place is at lengths or beyond.",
        ),
    ],
)
def test_the_places_that_are_wrong_are_told(where, told: str) -> None:
    wrong = [put(a, w := where(a, g), a[w] ** 3 + 5) for a, g in zip(PLAIN, INPUTS)]
    assert told in said(PLAIN, wrong)


def test_where_numbers_are_none_is_told() -> None:
    inputs = [{"mask": put(np.ones(a.shape, bool), (0, 1), False)} for a in PLAIN]
    wrong = [put(a, (0, 1), np.nan) for a in PLAIN]
    assert said(PLAIN, wrong, inputs) == "The numbers are NaN exactly where mask is False."
    blind = [{"mask": put(RNG.random(a.shape) < 0.5, (0, 1), False) | (a > 9)} for a in PLAIN]
    for given in blind:
        given["mask"][..., 0] |= ~given["mask"].any(-1)
        given["mask"][0, 1] = False
    rows = [np.ones(a.shape[:2]) for a in PLAIN]
    wrong = [put(row, (0, 1), np.nan) for row in rows]
    assert said(rows, wrong, blind) == "The numbers are NaN exactly where the row of mask is all False."
    assert said(PLAIN, each(lambda a: a * np.nan)) == "All numbers are NaN."


def test_the_cases_that_are_right_are_told_with_what_sets_them_apart() -> None:
    shapes = ((3, 5), (1, 5), (4, 2), (1, 2), (5, 3), (1, 3))
    inputs = [{"x": np.zeros(shape)} for shape in shapes]
    right = [np.arange(float(n)) ** 2 - 1 for n, _ in shapes]
    wrong = [r if len(r) == 1 else r**3 + 7 for r in right]
    assert (
        said(right, wrong, inputs)
        == "Right are the cases in which the size of dim 0 of x is 1, and no others."
    )
    few = [one[:4] for one in (right, wrong, inputs)]
    assert said(*few) == "Cases 2 and 4 are right (case 2 has x 1x5).", "two cases on each side are chance"
    one = [right[0], right[1] + 5, right[2], right[3]]
    assert said(right[:4], one, inputs[:4]) == "Cases 1, 3 and 4 are right (case 1 has x 3x5)."
    assert said(right[:2], wrong[:2], inputs[:2]) == "Case 2 is right (case 2 has x 1x5)."
    same = [np.arange(3.0) for _ in range(7)]
    late = [*same[:2], same[2] + 5, *same[3:6], same[6] ** 3 + 7]
    given = [{"x": one, "words": np.zeros((2, 3)), "most": 1 + c} for c, one in enumerate(same)]
    assert said(same, late, given) == "Cases 1, 2 and 4 to 6 are right (case 1 has most 1).", (
        "only what differs"
    )


def test_a_number_for_each_row_is_that_of_its_mask() -> None:
    counts = [given["mask"].sum(-1) for given in INPUTS]
    masks = [{"mask": given["mask"] | (count[..., None] == 0)} for given, count in zip(INPUTS, counts)]
    rows = [a[..., 0] for a in PLAIN]
    wrong = [row - np.log(given["mask"].sum(-1)) for row, given in zip(rows, masks)]
    told = (
        "the expected ones minus the logarithm of the number of True in the row of mask, each with its own."
    )
    assert told in said(rows, wrong, masks)


def test_booleans_that_stand_one_place_off_or_are_all_the_same() -> None:
    past = [np.tril(np.ones((2, n, n), bool)) for n in (4, 5)]
    assert "They stand one place too early along dim 1." in said(past, [np.tril(a | True, 1) for a in past])
    assert "All entries are True." in said(past, [a | True for a in past])


def test_an_output_in_the_place_of_another_is_named() -> None:
    expected = {"read": PLAIN[0][0], "written": PLAIN[0][1]}
    outcome = Outcome({}, expected, {"read": PLAIN[0][1], "written": PLAIN[0][0]}, 1e-4, 1e-5)
    assert remarks([outcome], [False], 0) == "It is what written should be."
    outcome = Outcome({}, expected, {**expected, "read": PLAIN[0][2]}, 1e-4, 1e-5)
    assert remarks([outcome], [False], 0) == "Only 'read' is wrong, not 'written'."


@pytest.mark.parametrize(
    "intervals, given, told",
    [
        ([(0.9, 1.0), (2.0, 2.1)], [-0.95, -2.05], "This would explain it: its sign is wrong."),
        ([(0.9, 1.0), (2.0, 2.1)], [95, 205], "a share or a percentage, and the other is asked for."),
        ([(0.9, 1.0), (2.0, 2.1)], [-0.95, 2.5], "Outside as well: b."),
        ([(0.56, 0.9)], [-0.6], "This would explain it: its sign is wrong."),
        ([(0.78, 0.83)], [0.905], ""),
        ([(0.78, 0.83)], [80.0], "This would explain it: it is a share or a percentage"),
        ([(0.0, 0.3)], [1.069], ""),
        ([(0.001, 0.3)], [1.069], ""),
        ([(0.9, 1.0)], [np.nan], ""),
        (
            [(0.9, 1.0), (2.0, 2.1), (3, 4)],
            [3.5, 2.05, 0.95],
            "In the reverse order the numbers would all be",
        ),
        (
            [(0.9, 1.0), (2.0, 2.1), (3, 4)],
            [2.05, 0.95, 3.5],
            "Exchanged, a and b would both be inside.",
        ),
    ],
)
def test_a_slip_in_measured_numbers_is_told_if_it_explains_all_of_them(intervals, given, told) -> None:
    expected = {name: Interval(*ends) for name, ends in zip("abc", intervals)}
    outputs = dict(zip("abc", given))
    found = remarks([Outcome({}, expected, outputs, 1e-4, 1e-5)], [False], 0)
    assert told in found and bool(found) == bool(told)
    assert not any(f"{end:g}" in found for end in itertools.chain(*intervals))


def test_many_cases_or_numbers_cost_no_time() -> None:
    many = [PLAIN[0]] * 1000
    assert said(many, [2 * a for a in many], [{}] * 1000) == ""
    large = np.zeros(200_000) + np.arange(200_000)
    assert said([large], [2 * large], [{}]) == ""
