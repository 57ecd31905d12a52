"""Reading what experiments have left: numbers by name over seeds, with their spread.

A notebook prints an interval in a line, and says whether a value that it has just computed belongs to the
record::

    results = load_results("tales")
    print(results.interval("nats_per_token.test"))  # 1.630 [1.612, 1.648], 8 seeds
    assert results.agrees("nats_per_token.test", live)
"""

import logging
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from transformer_lib.experiments.running.outputs import outputs_of_seed, read_outputs
from transformer_lib.metrics import Interval, mean_and_interval, student_t_quantile
from transformer_lib.training import Record, RecordError, read_record

__all__ = [
    "Results",
    "SeedInterval",
    "check_same_experiment",
    "is_changed",
    "join_records",
    "joint_commit",
    "record_to_join",
    "summary",
]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SeedInterval(Interval):
    """An interval over ``n`` seeds, which it names when it is printed."""

    def __str__(self) -> str:
        return f"{super().__str__()}, {self.n} seeds"


@dataclass(frozen=True)
class Results:
    """The numbers of a record, by name; the numbers of a dictionary in a result are ``name.key``.

    Where an experiment compares conditions, settings name one: ``results.interval("test", kind="nade")``.

    Attributes
    ----------
    record : Record
        What is read.
    path : Path or None
        Where it lies, with its outputs beside it.

    Raises
    ------
    ValueError
        From each method, if the record holds no such number or the settings name no condition or several.
    """

    record: Record
    path: Path | None = None

    def values(self, name: str, **settings: Any) -> list[float]:
        """The number called ``name``, one per seed in the order of the record's seeds."""
        runs = [run for run in self._runs() if settings.items() <= run.get("settings", {}).items()]
        if [run["seed"] for run in runs] != list(self.record.seeds):
            conditions = {str(run.get("settings", {})): None for run in runs or self._runs()}
            raise ValueError(f"{settings} names no single condition of {', '.join(conditions)}")
        numbers = [_numbers(run["result"]) for run in runs]
        if not all(name in found for found in numbers):
            raise ValueError(f"there is no number {name!r} in every run; there are {', '.join(numbers[0])}")
        return [found[name] for found in numbers]

    def has(self, name: str, **settings: Any) -> bool:
        """Whether a run with these settings measured the number called ``name``."""
        runs = (run for run in self._runs() if settings.items() <= run.get("settings", {}).items())
        return any(name in _numbers(run["result"]) for run in runs)

    def interval(self, name: str, **settings: Any) -> SeedInterval:
        """Mean and Student's interval over the seeds; with one seed the interval is unbounded."""
        return _interval(self.values(name, **settings))

    def difference(
        self,
        name: str,
        one: Mapping[str, Any],
        other: Mapping[str, Any],
        **settings: Any,
    ) -> SeedInterval:
        """The interval of ``one`` condition minus the ``other``, seed by seed; both have ``settings``."""
        a, b = (self.values(name, **settings, **condition) for condition in (one, other))
        return _interval([x - y for x, y in zip(a, b)])

    def outputs(self, name: str, *, seed: int, **settings: Any) -> list[str] | list[float]:
        """The outputs called ``name`` at one seed, item by item, such as the translations of a test part.

        Runs that are compared item by item have them in the same order.

        Raises
        ------
        RecordError
            If the outputs are not beside the record, or are those of other runs.
        """
        runs = [run for run in self._runs() if settings.items() <= run.get("settings", {}).items()]
        runs = [run for run in runs if run["seed"] == seed]
        if len(runs) != 1:
            known = {str(run.get("settings", {})): None for run in self._runs()}
            raise ValueError(
                f"seed {seed} and {settings} name no single run; there are the seeds {self.record.seeds} of "
                f"{', '.join(known)}"
            )
        if "outputs" not in runs[0] or self.path is None:
            raise ValueError(
                f"the run of seed {seed} has no outputs in this record: run it again to have them"
            )
        path = outputs_of_seed(self.path, seed)
        kept = read_outputs(path).get(runs[0]["outputs"])
        if kept is None:
            raise RecordError(
                f"{path} has the outputs of other runs: take the file that was made with the record"
            )
        if name not in kept:
            raise ValueError(f"there are no outputs {name!r}; there are {', '.join(kept)}")
        return kept[name]

    def agrees(self, name: str, value: float, confidence: float = 0.99, **settings: Any) -> bool:
        r"""Whether ``value`` could be that of another seed: it lies in Student's prediction interval.

        That is :math:`\bar v \pm t_{n-1}\, s \sqrt{1 + 1/n}`, widened to hold every seed of the record. It
        takes two seeds or more.
        """
        values = self.values(name, **settings)
        if len(values) < 2:
            raise ValueError(f"one seed has no spread: record more seeds of {name!r} to compare with")
        reach = student_t_quantile(confidence, len(values) - 1) * statistics.stdev(values)
        reach *= math.sqrt(1 + 1 / len(values))
        mean = math.fsum(values) / len(values)
        return min(mean - reach, *values) <= value <= max(mean + reach, *values)

    def _runs(self) -> list[dict[str, Any]]:
        if "runs" not in self.record.result:
            raise ValueError(f"this record holds tables instead of runs: {', '.join(self.record.result)}")
        return self.record.result["runs"]


def check_same_experiment(earlier: Record, later: Record) -> None:
    """Raise ``ValueError`` if configuration or data differ, so that the records cannot be joined."""
    for what in ("config", "data"):
        if getattr(earlier, f"{what}_hash") != getattr(later, f"{what}_hash"):
            raise ValueError(
                f"the records cannot be joined: their {what} differs; give --overwrite, or another --record"
            )


def record_to_join(path: Path, name: str, holds_tables: bool, seeds: Sequence[int]) -> Record | None:
    """The record of the experiment ``name`` at ``path``, if there is one.

    Raises
    ------
    ValueError
        If runs of these seeds cannot join it: it holds tables, or one of the seeds.
    """
    if not path.exists():
        return None
    if holds_tables:
        raise ValueError(
            f"{path} is there, and records of {name} cannot be joined, since they hold tables instead of "
            "runs: give --overwrite, or another --record"
        )
    record = read_record(path)
    if known := sorted(set(seeds) & set(record.seeds)):
        raise ValueError(f"{path} has the seeds {known} already: give other --seeds, or --overwrite")
    return record


def join_records(earlier: Record, later: Record) -> Record:
    """One record with the runs of both, and with their mean and spread.

    The hardware and the versions are those of ``later``, and the commit is the :func:`joint_commit`; each
    run says its own commit and hardware.

    Raises
    ------
    ValueError
        If configuration or data differ, so that they are not the same experiment, or a seed is in both.
    """
    check_same_experiment(earlier, later)
    if known := sorted(set(earlier.seeds) & set(later.seeds)):
        raise ValueError(f"the records cannot be joined: both have the seeds {known}")
    return replace(
        later,
        seeds=earlier.seeds + later.seeds,
        minutes=earlier.minutes + later.minutes,
        curve=earlier.curve + later.curve,
        commit=joint_commit([earlier.commit, later.commit]),
        result=summary(earlier.result["runs"] + later.result["runs"]),
    )


def joint_commit(commits: Sequence[str | None]) -> str | None:
    """The commit of what was made from ``commits``: the last one, unless another is worse.

    A commit outside git, ``None``, is the worst, and one of a changed checkout is worse than a clean one.
    Different commits are named in a warning.
    """
    different = list(dict.fromkeys(commits))
    if len(different) > 1:
        log.warning("the record holds runs of different commits: %s", ", ".join(map(str, different)))
    if None in commits:
        return None
    return ([commit for commit in commits if is_changed(commit)] or commits)[-1]


def is_changed(commit: str | None) -> bool:
    """Whether the commit is that of a changed checkout."""
    return commit is not None and commit.endswith("-dirty")


def summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The runs, with the mean and (of two or more) the standard deviation of each number in their results.

    Where conditions are compared, the name of a number begins with its condition. A number that is missing in
    a run, such as a perplexity that was infinite, has no mean: that of the other runs would look too good.
    """
    conditions: dict[str, list[dict[str, float]]] = {}
    for run in runs:
        label = "".join(f"{key}={value} " for key, value in run.get("settings", {}).items())
        conditions.setdefault(label, []).append(_numbers(run["result"]))
    numbers = {
        label + name: [one[name] for one in found]
        for label, found in conditions.items()
        for name in found[0]
        if all(name in one for one in found)
    }
    return {
        "mean": {name: math.fsum(values) / len(values) for name, values in numbers.items()},
        "standard_deviation": {
            name: statistics.stdev(values) if len(values) > 1 else None for name, values in numbers.items()
        },
        "runs": runs,
    }


def _interval(values: list[float], confidence: float = 0.95) -> SeedInterval:
    if len(values) == 1:
        return SeedInterval(values[0], -math.inf, math.inf, 1, confidence)
    found = mean_and_interval(values, confidence)
    return SeedInterval(found.mean, found.low, found.high, found.n, confidence)


def _numbers(values: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    found: dict[str, float] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            found |= _numbers(value, f"{prefix}{key}.")
        elif isinstance(value, int | float):
            found[prefix + key] = float(value)
    return found
