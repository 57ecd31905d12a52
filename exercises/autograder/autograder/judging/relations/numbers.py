"""Numbers that follow from the expected ones: a factor, a function, a sum that is not 1, a summand."""

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from autograder.judging.relations.evidence import SURE, entropy, is_coarse
from autograder.judging.relations.pairs import (
    ENOUGH,
    FEW,
    MANY,
    MAX_NUMBERS,
    RTOL,
    Pair,
    Relation,
    evidence_of,
    holds,
    who,
)

PRECISE = 1e-3
SIX_DIGITS = 2e-6
BY_ROW: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "the expected ones times {}": lambda e, n: e * n,
    "the expected ones over {}": lambda e, n: e / n,
    "the expected ones plus the logarithm of {}": lambda e, n: e + np.log(n),
    "the expected ones minus the logarithm of {}": lambda e, n: e - np.log(n),
}
CONSTANTS = {
    "2": 2.0,
    "1/2": 0.5,
    "ln 2": np.log(2),
    "1/ln 2": 1 / np.log(2),
    "ln 10": np.log(10),
    "1/ln 10": 1 / np.log(10),
    "100": 100.0,
    "1/100": 0.01,
}
POWERS: dict[str, Callable[[float], float]] = {
    "{}": lambda n: n,
    "1/{}": lambda n: 1 / n,
    "the square root of {}": lambda n: n**0.5,
    "1 over the square root of {}": lambda n: n**-0.5,
    "the square of {}": lambda n: n**2,
    "1 over the square of {}": lambda n: n**-2.0,
    "n/(n - 1), where n is {}": lambda n: n / (n - 1) if n > 1 else 0.0,
    "(n - 1)/n, where n is {}": lambda n: (n - 1) / n,
    "n/(n + 1), where n is {}": lambda n: n / (n + 1),
    "(n + 1)/n, where n is {}": lambda n: (n + 1) / n,
}
FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "the negatives of the expected ones: the sign is wrong": lambda e: -e,
    "the logarithms of the expected ones": np.log,
    "the negative logarithms of the expected ones": lambda e: -np.log(e),
    "the logarithms to base 2 of the expected ones": np.log2,
    "the exponentials of the expected ones": np.exp,
    "the exponentials of the expected ones with the other sign": lambda e: np.exp(-e),
    "2 to the power of the expected ones": np.exp2,
    "the squares of the expected ones": np.square,
    "the square roots of the expected ones": np.sqrt,
    "1 over the expected ones": np.reciprocal,
    "1 minus the expected ones": lambda e: 1 - e,
    "the expected ones without their sign": np.abs,
    "the sigmoids of the expected ones": lambda e: 1 / (1 + np.exp(-e)),
    "the log-odds of the expected ones": lambda e: np.log(e / (1 - e)),
}


def _constant(pairs: Sequence[Pair]) -> str:
    given = np.concatenate([p.g[p.wrong] for p in pairs])
    if len(given) < ENOUGH or np.ptp(given) > 1e-6 * abs(given[0]) or evidence_of(pairs) < FEW:
        return ""
    if is_coarse(given) and len(given) < (MANY if is_coarse(*(p.e for p in pairs)) else ENOUGH + MANY // 2):
        return ""
    return f"{who(pairs)} {given[0] + 0:.4g}"


def _precision(pairs: Sequence[Pair]) -> str:
    """That digits are lost; what is rounded is off to both sides, another formula often to one."""
    if pairs[0].expected.dtype.kind != "f" or evidence_of(pairs) <= FEW:
        return ""
    for p in pairs:
        e, g = p.e[p.wrong], p.g[p.wrong]
        if not np.isclose(g, e, rtol=PRECISE, atol=PRECISE * 0.1 * float(np.abs(e).max())).all():
            return ""
    if all(np.isclose(p.g[p.wrong], p.e[p.wrong], rtol=SIX_DIGITS, atol=0).all() for p in pairs):
        return "All numbers are within a millionth of the expected ones"
    off = np.sign(np.concatenate([p.g[p.wrong] - p.e[p.wrong] for p in pairs]))
    if len(set(off.tolist())) == 1:
        return ""
    return "All numbers are within 0.1 % of the expected ones, as after rounding or in half precision"


def _function(pairs: Sequence[Pair]) -> str:
    if evidence_of(pairs) <= FEW:
        return ""
    for told, function in FUNCTIONS.items():
        if all(p.near(p.g[p.wrong], function(p.e[p.wrong])) for p in pairs):
            return f"{who(pairs)} {told}"
    return ""


def _numbers_of_inputs(p: Pair) -> Iterator[tuple[str, float]]:
    for name, array in p.arrays.items():
        for axis, size in enumerate(array.shape):
            yield f"the size {'of' if array.ndim == 1 else f'of dim {axis} of'} {name}", float(size)
        if not array.ndim and array.dtype.kind != "b":
            yield name, float(array)
    for name, value in p.inputs.items():
        if isinstance(value, list | tuple) and name not in p.arrays:
            yield f"the number of {name}", float(len(value))
            yield f"the number of all entries of {name}", float(sum(np.size(item) for item in value))


def _named(pairs: Sequence[Pair], values: Sequence[float], forms: dict[str, Callable[[float], float]]) -> str:
    """What number of the inputs the values are, if the pairs have different ones."""
    numbers = [dict(_numbers_of_inputs(p)) for p in pairs]
    for name in numbers[0]:
        column = [given.get(name, 0.0) for given in numbers]
        if len(set(column)) < 2 or min(column) <= 0:
            continue
        for form, function in forms.items():
            if np.allclose([function(n) for n in column], values, rtol=RTOL, atol=0):
                return form.format(name)
    return ""


def _factor(pairs: Sequence[Pair]) -> str:
    """One factor for all numbers, or one for each case."""
    factors = []
    for p in pairs:
        e, g = p.e[p.wrong], p.g[p.wrong]
        norm = float((e * e).sum())
        factors.append(float((e * g).sum()) / norm if norm else 0.0)
        if abs(factors[-1]) < 1e-6 or not p.near(g, factors[-1] * e):
            return ""
    return _by(pairs, factors, "the expected ones times")


def _by(pairs: Sequence[Pair], values: Sequence[float], told: str) -> str:
    """That all numbers are the expected ones changed by one value for each pair, if that is no chance.

    A value that is shown as 1 would say that nothing is changed.
    """
    if any(f"{c:.4g}" == "1" for c in values):
        return ""
    evidence = evidence_of(pairs)
    if np.allclose(values, values[0], rtol=RTOL, atol=0):
        c = values[0]
        named = [f"{'-' if c < 0 else ''}{k}" for k, v in CONSTANTS.items() if abs(abs(c) / v - 1) < RTOL]
        if evidence < (ENOUGH - 1 if named else ENOUGH):
            return ""
        simple = named and named[0].lstrip("-").isdigit()
        return f"{who(pairs)} {told} {named[0] if simple else f'{c:.4g}'}" + (
            f", which is {named[0]}" if named and not simple else ""
        )
    if evidence >= ENOUGH and (named_by := _named(pairs, values, POWERS)):
        return f"{who(pairs)} {told} {named_by}"
    if evidence < len(pairs) + ENOUGH or not _several(pairs):
        return ""
    return f"In each case the numbers are {told} one number ({', '.join(f'{c:.4g}' for c in values)})"


def _several(pairs: Sequence[Pair]) -> bool:
    """Whether several different numbers are wrong in each pair: one number is any other times a factor."""
    return all(evidence_of([p]) >= FEW for p in pairs)


def _exponent(pairs: Sequence[Pair]) -> str:
    """One exponent for all numbers, or one for each case."""
    exponents = []
    for p in pairs:
        e, g = p.e[p.wrong], p.g[p.wrong]
        if not ((e > 0).all() and (g > 0).all()) or np.allclose(e, 1, atol=1e-2):
            return ""
        e, g = np.log(e), np.log(g)
        exponents.append(float((e * g).sum() / (e * e).sum()))
        if abs(exponents[-1]) < 1e-6 or not p.near(g, exponents[-1] * e):
            return ""
    return _by(pairs, exponents, "the expected ones to the power of")


def _shift(pairs: Sequence[Pair]) -> str:
    shifts = [float(np.mean(p.g[p.wrong] - p.e[p.wrong])) for p in pairs]
    for p, c in zip(pairs, shifts, strict=True):
        rest, e = p.g[p.wrong] - p.e[p.wrong], p.e[p.wrong]
        if not p.near(rest, np.full(rest.size, c)) or np.ptp(rest) > 0.02 * np.ptp(e):
            return ""
    evidence = evidence_of(pairs)
    if np.allclose(shifts, shifts[0], rtol=RTOL, atol=0) and evidence >= ENOUGH:
        return f"{who(pairs)} {shifts[0]:+.4g} from the expected ones"
    if evidence < len(pairs) + FEW:
        return ""
    logs: dict[str, Callable[[float], float]] = {
        "the logarithm of {}": np.log,
        "minus the logarithm of {}": lambda n: -np.log(n),
    }
    if named_by := _named(pairs, shifts, logs):
        return f"{who(pairs)} the expected ones plus {named_by}"
    if evidence < len(pairs) + ENOUGH or not _several(pairs):
        return ""
    several = ", ".join(f"{c:+.4g}" for c in shifts)
    return f"In each case the numbers are the expected ones plus one number ({several})"


def _by_an_input(pairs: Sequence[Pair]) -> str:
    """Each row changed by its own entry of an input, such as a length, or by the count of its mask."""
    if evidence_of(pairs) <= FEW:
        return ""
    given = [dict(_entries(p)) for p in pairs]
    for name in given[0]:
        rows = [row[name] for row in given if name in row]
        if len(rows) < len(pairs) or not all((row > 0).all() for row in rows) or not any(map(np.ptp, rows)):
            continue
        for told, change in BY_ROW.items():
            if all(p.near(p.g[p.wrong], change(p.e[p.wrong], row)) for p, row in zip(pairs, rows)):
                return f"{who(pairs)} {told.format(name)}, each with its own"
    return ""


def _entries(p: Pair) -> Iterator[tuple[str, np.ndarray]]:
    """Positive numbers that belong to the leading dimensions, one for each number that is wrong."""
    for name, array in p.arrays.items():
        if array.dtype.kind == "b" and array.ndim:
            name, array = f"the number of True in the row of {name}", array.sum(-1)
        if array.ndim and array.shape == p.e.shape[: array.ndim]:
            wide = array.reshape(*array.shape, *[1] * (p.e.ndim - array.ndim)).astype(np.float64)
            yield name, np.broadcast_to(wide, p.e.shape)[p.wrong]


def _sums(pairs: Sequence[Pair]) -> str:
    """Numbers that sum to 1 along another dimension than they should, or along none."""
    if pairs[0].e.ndim < 1 or any(p.e.ndim != pairs[0].e.ndim for p in pairs):
        return ""

    def ones(which: Callable[[Pair], np.ndarray], axis: int) -> bool:
        return all(np.allclose(which(p).sum(axis), 1, rtol=0, atol=1e-4) for p in pairs)

    axes = [a for a in range(pairs[0].e.ndim) if any(p.e.shape[a] > 1 for p in pairs)]
    right = [a for a in axes if ones(lambda p: p.e, a)]
    if not right or ones(lambda p: p.g, right[-1]):
        return ""
    rows = sum(p.e.size // p.e.shape[right[-1]] for p in pairs)
    if rows < 2 * ENOUGH and is_coarse(*(p.e for p in pairs)):
        return ""
    other = [a for a in axes if a not in right and ones(lambda p: p.g, a)]
    if other:
        return f"The numbers sum to 1 along dim {other[0]}; the expected ones do so along dim {right[-1]}"
    sums = np.concatenate([p.g.sum(right[-1]).ravel() for p in pairs])
    rows = "The rows" if right[-1] == pairs[0].e.ndim - 1 else f"The numbers along dim {right[-1]}"
    told = f"{rows} should sum to 1; yours sum to {sums.min():.4g}"
    told += f" to {sums.max():.4g}" if np.ptp(sums) > 1e-3 * abs(sums.max()) else ""
    if (
        rows == "The rows"
        and (sums > 0).all()
        and all(p.near(p.g, p.e * p.g.sum(-1, keepdims=True)) for p in pairs)
    ):
        told += ". Each row is the expected one times its sum: it is not normalized"
    return told


def _rows(pairs: Sequence[Pair]) -> str:
    """Rows that are right up to a factor, a summand or a power of their own."""
    numbers = sum(p.e.size for p in pairs)
    rows = sum(p.e.size // p.e.shape[-1] if p.e.ndim and p.e.shape[-1] else 0 for p in pairs)
    # of a row of one number nothing is known
    if (
        any(p.e.ndim < 2 or p.e.shape[-1] < FEW for p in pairs)
        or numbers < rows + ENOUGH
        or evidence_of(pairs) < ENOUGH
    ):
        return ""
    if all(p.near(p.g, _softmax(p.e)) for p in pairs):
        return "The rows are the softmaxes of the expected ones"
    shifts = [(p.g - p.e).mean(-1, keepdims=True) for p in pairs]
    if all(p.near(p.g - p.e, np.broadcast_to(s, p.e.shape)) for p, s in zip(pairs, shifts)):
        return "Each row is the expected one plus a number of its own"
    factors = [(p.e * p.g).sum(-1, keepdims=True) / (p.e**2).sum(-1, keepdims=True) for p in pairs]
    if all(p.near(p.g, p.e * c) for p, c in zip(pairs, factors)):
        return "Each row is the expected one times a number of its own"
    return _power(pairs)


def _softmax(e: np.ndarray) -> np.ndarray:
    exponentials = np.exp(e - e.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def _power(pairs: Sequence[Pair]) -> str:
    """Shares made of exponents that are all too large or too small by one factor."""
    powers = []
    for p in pairs:
        if not ((p.e > 0).all() and (p.g > 0).all() and p.e.shape[-1] > 1):
            return ""
        if not (np.allclose(p.e.sum(-1), 1, atol=1e-3) and np.allclose(p.g.sum(-1), 1, atol=1e-3)):
            return ""
        e, g = (np.log(x) - np.log(x).mean(-1, keepdims=True) for x in (p.e, p.g))
        powers.append(float((e * g).sum() / (e * e).sum()))
        if not p.near(g, powers[-1] * e):
            return ""
    told = "The rows are softmaxes of the right exponents times "
    if np.allclose(powers, powers[0], rtol=RTOL, atol=0):
        return f"{told}{powers[0]:.4g}"
    if named_by := _named(pairs, powers, POWERS):
        return f"{told}{named_by}"
    return f"{told}one number in each case ({', '.join(f'{c:.4g}' for c in powers)})"


def _is_input(pairs: Sequence[Pair]) -> str:
    for name in pairs[0].arrays:
        # zeros for an input that is 0 in these cases are equal to it by accident
        given = [p.arrays[name] for p in pairs if name in p.arrays]
        if entropy(*given) * sum(a.size for a in given) < SURE:
            continue
        if holds(pairs, lambda p, n=name: p.arrays.get(n, np.zeros(0)).astype(np.float64)):  # type: ignore[misc]
            return f"It is the input {name} as it came"
    return ""


def _slices(array: np.ndarray, shape: tuple[int, ...]) -> Iterator[tuple[str, np.ndarray]]:
    """The pieces of this shape that indices cut out of an array, with their texts."""
    for kept in itertools.combinations(range(array.ndim), len(shape)):
        if tuple(array.shape[a] for a in kept) != shape:
            continue
        fixed = [a for a in range(array.ndim) if a not in kept]
        for index in np.ndindex(*(array.shape[a] for a in fixed)):
            at = dict(zip(fixed, index))
            text = ", ".join(str(at[a]) if a in at else ":" for a in range(array.ndim))
            yield (
                (f"[{text}]" if fixed else ""),
                array[tuple(at.get(a, slice(None)) for a in range(array.ndim))],
            )


def _summand(pairs: Sequence[Pair]) -> str:
    """An input, or a piece of one, that is missing or counted too often."""
    for name in pairs[0].arrays:
        for sign, told in ((1, "the expected numbers plus"), (-1, "the expected numbers minus")):
            texts = [_piece(p, name, sign) for p in pairs]
            if all(text is not None for text in texts):
                same = len(set(texts)) == 1
                return f"They are {told} {name}{texts[0]}" + (
                    "" if same else " (there; in each case another)"
                )
    return ""


def _piece(p: Pair, name: str, sign: int) -> str | None:
    """The piece of an input by which a pair differs in all its numbers."""
    array = p.arrays.get(name)
    if array is None or not array.ndim or array.dtype.kind != "f" or not p.e.ndim:
        return None
    rest = sign * (p.g - p.e)
    while rest.ndim > 1 and len(rest) and np.allclose(rest, rest[:1], atol=1e-5):
        rest = rest[0]
    if rest.size <= FEW or np.ptp(rest) < 1e-3 or array.size * rest.size > MAX_NUMBERS:
        return None
    fits = (
        text for text, piece in _slices(array, rest.shape) if np.allclose(rest, piece, rtol=RTOL, atol=1e-4)
    )
    return next(fits, None)


def _range(pairs: Sequence[Pair]) -> str:
    e, g = (np.concatenate(list(map(np.ravel, x))) for x in ([p.e for p in pairs], [p.g for p in pairs]))
    if len(e) < MANY or not np.ptp(e):
        return ""
    if (e >= 0).all() and (e <= 1).all() and ((g < 0).any() or (g > 1 + 1e-6).any()):
        return "The expected numbers lie between 0 and 1; some of yours do not"
    for told, sign in (("negative", 1), ("positive", -1)):
        if (sign * e >= 0).all() and (sign * g < 0).any():
            return f"No expected number is {told}; some of yours are"
    return ""


def _one_side(pairs: Sequence[Pair]) -> str:
    rest = np.concatenate([(p.g - p.e)[p.wrong] for p in pairs])
    if len(rest) >= MANY and ((rest > 0).all() or (rest < 0).all()):
        return f"{who(pairs)} too {'large' if rest[0] > 0 else 'small'}"
    return ""


# what may be said of whole numbers: counts and codes are not computed from one another
COUNTED: tuple[Relation, ...] = (_constant, _is_input)
NUMERIC: tuple[Relation, ...] = (
    _precision,
    _constant,
    _function,
    _factor,
    _exponent,
    _shift,
    _by_an_input,
    _is_input,
    _sums,
    _rows,
    _summand,
)
WEAK: tuple[Relation, ...] = (_range, _one_side)
