"""Sizes of the axes of inputs, drawn so that an answer that is wrong for some shapes meets them."""

from collections.abc import Iterator, Mapping

import numpy as np

TRIES = 200


def sizes(
    rng: np.random.Generator, *, far: Mapping[str, int] | None = None, **axes: int | tuple[int, int]
) -> Iterator[tuple[int, ...]]:
    """Sizes, case by case, in the order of ``axes``: each drawn from its lowest to its highest.

    An axis is given by its highest ordinary size, ``queries=6``, or by both ends, ``heads=(2, 4)``; the
    lowest is 1 where none is given. In the first two cases all axes differ, and the sizes are the same, so
    that two inputs of one shape have other values. Then there is a case for each axis in which it has its
    lowest size and the others have not; one in which all are equal, if there is such a size; and one for
    each axis in ``far``, as long as ``far`` says or up to an eighth longer, while the others are ordinary.
    """
    ends = {name: (1, given) if isinstance(given, int) else given for name, given in axes.items()}
    unknown = sorted(set(far or ()) - set(ends))
    if unknown:
        raise ValueError(f"far names {unknown[0]!r}, which is none of the axes {', '.join(ends)}")
    ordinary = {name: (min(low + 1, high), high) for name, (low, high) in ends.items()}
    first = _differing(rng, ordinary)
    yield first
    yield first
    for name, (low, high) in ends.items():
        if low < high:
            yield _differing(rng, {**ordinary, name: (low, low)})
    low, high = max(low for low, _ in ordinary.values()), min(high for _, high in ordinary.values())
    if low <= high and len(ends) > 1:
        size = int(rng.integers(low, high + 1))
        yield (size,) * len(ends)
    for name, size in (far or {}).items():
        yield _differing(rng, {**ordinary, name: (size, size + size // 8)})


def _differing(rng: np.random.Generator, ends: Mapping[str, tuple[int, int]]) -> tuple[int, ...]:
    """Sizes between these ends, all of them different if a few tries find such."""
    drawn: tuple[int, ...] = ()
    for _ in range(TRIES):
        drawn = tuple(int(rng.integers(low, high + 1)) for low, high in ends.values())
        if len(set(drawn)) == len(drawn):
            break
    return drawn
