"""Verdicts on the sources' claims, as data: what was found, and the contrasts of records that say so.

A chapter's verdicts stand beside its experiments, in ``chapter_NN/verdicts.py``. From them come the box in
the chapter, its page of evidence and the ledger of claims; every number in these is computed from records.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from transformer_lib.checks import check_choice
from transformer_lib.experiments.running.results import Results, SeedInterval
from transformer_lib.metrics import Interval, mean_and_interval, unpaired_interval

__all__ = ["STATUSES", "Arm", "Contrast", "Effect", "Verdict", "bounds_text", "number_text"]

STATUSES = ("holds", "holds when", "fails", "open")
BEST = {"lowest": min, "highest": max}

Settings = Mapping[str, Any]
Load = Callable[[str], Results]


@dataclass(frozen=True)
class Arm:
    """One side of a contrast: its numbers, seed by seed, and which value of the grid gave them."""

    settings: Settings
    values: tuple[float, ...]
    chosen: Any = None
    grid: tuple[Any, ...] = ()

    @property
    def mean(self) -> float:
        """The mean over the seeds."""
        return math.fsum(self.values) / len(self.values)

    @property
    def is_at_edge(self) -> bool:
        """Whether the best value of the grid is its least or greatest, so that a better may lie outside."""
        return len(self.grid) > 1 and self.chosen in (self.grid[0], self.grid[-1])


@dataclass(frozen=True)
class Effect:
    """What a contrast comes to: ``one`` arm, the ``other``, and the interval of the difference."""

    contrast: "Contrast"
    one: Arm
    other: Arm
    interval: SeedInterval

    @property
    def is_open(self) -> bool:
        """Whether the difference may be zero: its interval includes it, or there is no interval."""
        return self.interval.low <= 0 <= self.interval.high

    def __str__(self) -> str:
        at = self.interval
        places = places_of(at)
        sides = f"{number_text(self.one.mean, places)} against {number_text(self.other.mean, places)}"
        seeds = f"{at.n} seed{'s' * (at.n > 1)}"
        return f"{sides}: {at.mean:+.{places}f}{bounds_text(at)} {self.contrast.unit}, {seeds}"


@dataclass(frozen=True)
class Contrast:
    """Two conditions that differ in one setting, and the number in which they are compared.

    Attributes
    ----------
    label : str
        What the reader is told is compared, such as "tied against separate, 4,000 steps".
    experiment, number : str
        Whose record, and which of its numbers.
    one, other : dict
        The settings of the two arms. The effect is ``one`` minus ``other``, paired by seed.
    shared : dict
        The settings of both.
    unit : str
        The unit of the number.
    grid : str or None
        A setting of which each arm takes its ``best`` value, ``lowest`` or ``highest``, by the mean of the
        number ``by``, which is the compared one unless another is named.
    seeds : tuple of int
        Only these seeds; by default all of the record's.
    against : float or None
        A constant in place of the other arm, such as chance.
    other_experiment : str
        Where the other arm lies in another record; the interval is then Welch's.
    other_number : str
        Where a run holds the numbers of both arms, such as the times of models that take turns: the other's.
    reason : str
        Why the arms differ in more than one setting, where they do.

    Raises
    ------
    ValueError
        If the arms differ in no setting, or in several and no reason is given, or ``against`` is given beside
        another arm.
    """

    label: str
    experiment: str
    number: str
    one: Settings
    other: Settings = field(default_factory=dict)
    shared: Settings = field(default_factory=dict)
    unit: str = "nats"
    grid: str | None = None
    by: str | None = None
    best: str = "lowest"
    seeds: tuple[int, ...] = ()
    against: float | None = None
    other_experiment: str = ""
    other_number: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        check_choice("best", self.best, BEST)
        if self.against is not None and (self.other or self.other_experiment):
            raise ValueError(f"{self.label!r} is against a constant or another arm, not both")
        if self.against is None and not self.differences:
            raise ValueError(f"the arms of {self.label!r} do not differ: {dict(self.one)}")
        if self.is_joint and not self.reason:
            raise ValueError(
                f"the arms of {self.label!r} differ in more than one setting, {', '.join(self.differences)}: "
                "vary one, or give the reason"
            )

    @property
    def differences(self) -> tuple[str, ...]:
        """The settings in which the arms differ, and the record and the number if there are two."""
        if self.against is not None:
            return ()
        names = sorted(self.one.keys() | self.other.keys())
        elsewhere = [("record", self.other_experiment), ("number", self.other_number)]
        return (
            *(name for name in names if self.one.get(name) != self.other.get(name)),
            *(name for name, other in elsewhere if other),
        )

    @property
    def is_joint(self) -> bool:
        """Whether more than one thing changes between the arms."""
        return len(self.differences) > 1 or bool(self.other_experiment)

    def effect(self, load: Load) -> Effect:
        """Compute the effect from the committed records, which ``load`` finds by name."""
        one = self._arm(load(self.experiment), self.one, self.number)
        if self.against is not None:
            other = Arm({}, (self.against,) * len(one.values))
        else:
            results = load(self.other_experiment or self.experiment)
            other = self._arm(results, self.other, self.other_number or self.number)
        n = len(one.values)
        if min(n, len(other.values)) == 1:
            found = Interval(one.mean - other.mean, -math.inf, math.inf, n, 0.95)
        elif self.other_experiment:
            found = unpaired_interval(one.values, other.values)
        else:
            found = mean_and_interval([a - b for a, b in zip(one.values, other.values, strict=True)])
        return Effect(self, one, other, SeedInterval(found.mean, found.low, found.high, n, found.confidence))

    def _arm(self, results: Results, settings: Settings, number: str) -> Arm:
        settings = {**self.shared, **settings}
        if self.grid is None:
            return Arm(settings, self._values(results, number, settings))
        runs = results.record.result["runs"]
        found = {r["settings"][self.grid] for r in runs if settings.items() <= r["settings"].items()}
        grid = tuple(sorted(found))
        if not grid:
            raise ValueError(f"{self.label!r}: {settings} names no condition of {self.experiment}")
        by = {
            value: math.fsum(self._values(results, self.by or number, settings | {self.grid: value}))
            for value in grid
        }
        chosen = BEST[self.best](by, key=by.__getitem__)
        values = self._values(results, number, settings | {self.grid: chosen})
        return Arm(settings, values, chosen, grid)

    def _values(self, results: Results, number: str, settings: Settings) -> tuple[float, ...]:
        values = dict(zip(results.record.seeds, results.values(number, **settings), strict=True))
        if missing := set(self.seeds) - values.keys():
            raise ValueError(f"{self.label!r}: the record has no seed {', '.join(map(str, missing))}")
        return tuple(values[seed] for seed in self.seeds or values)


@dataclass(frozen=True)
class Verdict:
    """What a chapter found of a claim.

    Attributes
    ----------
    claim : str
        The claim's id in the ledger, such as ``C11``.
    status : str
        One of ``holds``, ``holds when``, ``fails``, ``open``.
    sentence : str
        What was found, in one sentence, without numbers.
    contrasts : sequence of Contrast
        The comparisons that say so; the first decides.
    proven : str
        The id of the test that proves it, for what is a theorem: ``tests/.../test_x.py::test_name``.
    open : str
        What was not varied, in a phrase.

    Raises
    ------
    ValueError
        If the status is unknown, or there is neither a contrast nor a proof.
    """

    claim: str
    status: str
    sentence: str
    contrasts: tuple[Contrast, ...] | list[Contrast] = ()
    proven: str = ""
    open: str = ""

    def __post_init__(self) -> None:
        check_choice("status", self.status, STATUSES)
        if not self.contrasts and not self.proven:
            raise ValueError(f"the verdict on {self.claim} has neither a contrast nor a proof")

    def effects(self, load: Load) -> list[Effect]:
        """The effects of its contrasts."""
        return [contrast.effect(load) for contrast in self.contrasts]


def number_text(value: float, places: int) -> str:
    """The number with so many decimals, and a comma for thousands."""
    text = f"{value:,.{places}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text


def bounds_text(interval: SeedInterval) -> str:
    """The bounds in brackets, after a space; nothing where there are none."""
    if not math.isfinite(interval.half_width):
        return ""
    low, high = (number_text(bound, places_of(interval)) for bound in (interval.low, interval.high))
    return f" [{low}, {high}]"


def places_of(interval: SeedInterval) -> int:
    """So many decimals that the interval's half width shows two digits, at most three."""
    half = interval.half_width
    if not math.isfinite(half) or half == 0:
        half = abs(interval.mean) / 3
    return 3 if half == 0 else min(3, max(0, 1 - math.floor(math.log10(half))))
