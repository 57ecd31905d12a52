"""The runner of the book's experiments: folders, progress, resumption, seeds and the record.

An :class:`Experiment` says what is measured; :func:`run` does the rest. A unit of work is one measurement, at
one seed under one condition. Each finished unit is a file of its own, so that an interrupted experiment
resumes where it stopped; seeds that are run later join the record.
"""

import logging
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from tqdm import tqdm

from transformer_lib.checks import check_positive
from transformer_lib.experiments.running import outputs, processes, results
from transformer_lib.training import Record, is_main_process, read_record, write_record
from transformer_lib.training.files import check_folder, write_atomically
from transformer_lib.training.progress import shows_progress
from transformer_lib.training.records import json_hash

__all__ = ["RECORDS", "Experiment", "Tuned", "run", "run_seed"]

RECORDS = Path(__file__).resolve().parents[3] / "book" / "records"
"""The folder of the committed records.

:meta hide-value:
"""

Settings = dict[str, Any]
Unit = tuple[int, Settings]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Tuned:
    """A setting chosen among ``values``: the record's, or that of least ``valid`` at the first seed."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Experiment:
    """An experiment of the book.

    Attributes
    ----------
    name : str
        What ``reproduce`` calls it.
    chapter : int
        The chapter that prints its record.
    description : str
        What it measures, in a line.
    measure : callable
        ``measure(seed, folder, **condition)`` returns a dictionary of results that JSON can hold; what it
        holds as ``curve`` becomes the record's curve. Its ``outputs``, a dictionary of lists with a text or
        a number for each item, are kept beside the record, at most 200 kB for each seed. A training run
        returns its own :class:`~transformer_lib.training.Record` instead. A unit that takes long keeps its
        checkpoints in ``folder``, and resumes from them.
    seeds : tuple of int
        The usual seeds.
    config : dict
        Every setting that changes the numbers, besides the conditions. While it is the same, finished units
        are not measured again and seeds join the record, even if the code has changed.
    data : callable
        What the record says about the data.
    conditions : tuple of dict
        The settings that are compared, as keyword arguments of ``measure``. A value that is
        :class:`Tuned` is chosen among several by the result ``valid``.
    tables : callable or None
        Turns the runs into the record's result. By default the result holds the runs, with the mean and
        the standard deviation of each number; only such records can be joined, or have outputs.
    gpu : Experiment or None
        The same at the size that takes a GPU, where there is one; its name ends in ``-gpu``.
    is_timed : bool
        Whether the results are times, or depend on times, so that no two units may run at once.
    """

    name: str
    chapter: int
    description: str
    measure: Callable[..., Mapping[str, Any] | Record]
    seeds: tuple[int, ...]
    config: Mapping[str, Any]
    data: Callable[[], Mapping[str, Any]]
    conditions: tuple[Settings, ...] = ({},)
    tables: Callable[[list[dict[str, Any]]], dict[str, Any]] | None = None
    gpu: "Experiment | None" = None
    is_timed: bool = False

    @property
    def committed_record(self) -> Path:
        """Where the book's record of this experiment is, once there is one."""
        return RECORDS / f"{self.chapter:02}_{self.name.replace('-', '_')}.json"

    def time_on_record(self, seeds: Sequence[int] = (), jobs: int = 1) -> str:
        """How long the committed record took, and on what; and by that, how long ``seeds`` would take."""
        if not self.committed_record.exists():
            return "not recorded yet" if RECORDS.is_dir() else "its record is in the course's repository"
        on = (record := read_record(self.committed_record)).hardware
        where = [f"{key} {on[key]}" for key in ("processes", "threads") if key in on] + [on["processor"]]
        where += [on["device"]] * (on["device"] != "cpu")
        said = f"{record.minutes:.0f} minutes for {_seeds(record.seeds)} ({', '.join(where)})"
        if seeds:
            at_once = min(jobs, len(seeds) * len(self.conditions), (on["cores"] or 1) // on["threads"] or 1)
            minutes = record.minutes * len(seeds) / len(record.seeds) / at_once
            which = _seeds(seeds) + f" with {at_once} at once" * (at_once > 1)
            said += f"; {which} would take about {minutes:.0f} minutes there"
        return said


def _seeds(seeds: Sequence[int]) -> str:
    return f"seed{'s' * (len(seeds) > 1)} {' '.join(map(str, seeds))}"


def run_seed(experiment: Experiment, seed: int, **settings: Any) -> dict[str, Any]:
    """What ``experiment`` measures at one seed, computed now; nothing is kept.

    Parameters
    ----------
    settings
        One of the conditions, with a value for what is tuned.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        measured = experiment.measure(seed, Path(folder), **settings)
    return measured.result if isinstance(measured, Record) else dict(measured)


def run(
    experiment: Experiment,
    record_path: str | Path,
    *,
    seeds: Sequence[int] | None = None,
    overwrite: bool = False,
    command: Sequence[str] | None = None,
    jobs: int = 1,
) -> Record:
    """Run ``experiment``, and write its record or join it to the one that is there.

    Finished units are in the folder beside the record that has its name; they are not run again. A record
    that holds a unit of a changed checkout says so in its commit, and a warning says so before anything is
    measured. With several ``jobs`` so many units run at
    once, each in a process with its share of the threads; a script that asks for that begins with
    ``if __name__ == "__main__":``.

    Parameters
    ----------
    command
        What runs the experiment from a shell, without the seeds: the record has it with its seeds.

    Raises
    ------
    ValueError
        If a seed or the number of jobs is wrong, or the record or a unit is there and cannot be joined.
    ChildProcessError
        If a process that measured a unit was killed.
    """
    check_positive(jobs=jobs)
    if jobs > 1 and int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise ValueError("several jobs are for one process: leave out torchrun, or jobs")
    if jobs > 1 and experiment.is_timed:
        raise ValueError(f"the units of {experiment.name} are timed, so they run one by one: leave out jobs")
    record_path = Path(record_path)
    seeds = experiment.seeds if seeds is None else tuple(seeds)
    if not seeds or len(set(seeds)) < len(seeds) or not all(0 <= seed < 2**32 for seed in seeds):
        raise ValueError(f"seeds must be different whole numbers from 0 to 2**32 - 1; got {list(seeds)}")
    if record_path.is_dir():
        raise ValueError(f"{record_path} is a folder: name a file for the record")
    if record_path.suffix != ".json":
        raise ValueError(f"{record_path} must end in .json; the folder beside it takes its name without that")
    check_folder(record_path.parent)
    named = record_path, experiment.name, experiment.tables is not None
    joining = partial(results.record_to_join, *named, seeds)
    session = _Session(experiment, record_path, command)
    earlier = None if overwrite else joining()
    if earlier is not None:
        results.check_same_experiment(earlier, session.blank)
        session.chosen = [run.get("settings", {}) for run in earlier.result["runs"]]
    log.info("%s, on record: %s", experiment.name, experiment.time_on_record(seeds, jobs))
    if overwrite:
        session.remove_units()
        for path in (record_path, *outputs.outputs_beside(record_path)):
            path.unlink(missing_ok=True)
    if is_main_process():
        session.warn_of_changes(seeds, earlier)
    record = session.run(seeds, jobs)
    if is_main_process():
        if not overwrite and (latest := joining()) is not None:
            record = results.join_records(latest, record)  # another session may have joined its seeds
        session.write_outputs()
    record = replace(record, command=session.command_of(record.seeds))
    write_record(record_path, record)
    return record


class _Session:
    """One call of :func:`run`."""

    def __init__(self, experiment: Experiment, record_path: Path, command: Sequence[str] | None) -> None:
        self.experiment, self.first, self.command = experiment, experiment.seeds[0], command
        self.record_path, self.folder = record_path, record_path.with_suffix("")
        config = dict(experiment.config)
        if experiment.conditions != ({},):
            config["conditions"] = [
                {name: list(v.values) if isinstance(v, Tuned) else v for name, v in condition.items()}
                for condition in experiment.conditions
            ]
        on_gpu = experiment.name.endswith("-gpu") and torch.cuda.is_available()
        blank = partial(Record.of_run, command=command, device="cuda" if on_gpu else "cpu")
        self.blank = blank(config=config, data=experiment.data(), seeds=[], minutes=0.0, curve=[], result={})
        self.units: dict[str, Record] = {}
        self.chosen: list[Settings] = []
        self.kept: list[tuple[int, Path]] = []

    def command_of(self, seeds: Sequence[int]) -> list[str]:
        """What runs these seeds from a shell."""
        return self.blank.command if self.command is None else [*self.command, "--seeds", *map(str, seeds)]

    def warn_of_changes(self, seeds: Sequence[int], earlier: Record | None) -> None:
        """Say it now if the record will hold what a changed checkout has measured."""
        settings = [one for condition in self.experiment.conditions for one in self._candidates(condition)]
        units = [self._path(seed, one) for seed in {*seeds, self.first} for one in settings]
        parts = {str(path): read_record(path) for path in sorted(units) if path.exists()}
        parts |= {str(self.record_path): earlier} if earlier is not None else {}
        refused = "this record will not be accepted as a committed record"
        if results.is_changed(self.blank.commit):
            log.warning("the checkout has changes that are not committed (see git status): %s", refused)
        for path in (path for path, part in parts.items() if results.is_changed(part.commit)):
            log.warning("%s is from a changed checkout: %s; --overwrite starts again", path, refused)

    def run(self, seeds: Sequence[int], jobs: int = 1) -> Record:
        """The record of these seeds; units that an earlier session has finished are read, not run."""
        # Its module imports the bar for notebooks, which warns where ipywidgets are missing.
        from tqdm.contrib.logging import logging_redirect_tqdm

        with logging_redirect_tqdm([logging.getLogger("transformer_lib")]), self._bar(seeds) as self.bar:
            if jobs > 1:
                self._run_at_once(seeds, jobs)
            conditions = [self._tuned(condition) for condition in self.experiment.conditions]
            units = [(seed, chosen, self._unit(seed, chosen)) for seed in seeds for chosen in conditions]
        self.kept = [(seed, outputs.outputs_of_unit(self._path(seed, chosen))) for seed, chosen, _ in units]
        if self.experiment.tables and any(path.exists() for _, path in self.kept):
            raise ValueError(f"the record of {self.experiment.name} holds tables, so it can have no outputs")
        runs = [
            {"seed": seed}
            | ({"settings": chosen} if chosen else {})
            | {key: getattr(unit, key) for key in ("minutes", "command", "commit", "hardware", "result")}
            | ({"outputs": next(iter(outputs.read_outputs(path)))} if path.exists() else {})
            for (seed, chosen, unit), (_, path) in zip(units, self.kept)
        ]
        return replace(
            self.blank,
            seeds=list(seeds),
            minutes=sum(unit.minutes for unit in self.units.values() if unit.seeds[0] in seeds),
            curve=[{"seed": seed, **chosen, **point} for seed, chosen, unit in units for point in unit.curve],
            result=(self.experiment.tables or results.summary)(runs),
            hardware=units[-1][2].hardware,
            commit=results.joint_commit([*(unit.commit for unit in self.units.values()), self.blank.commit]),
        )

    def write_outputs(self) -> None:
        """Put what the units of this session have kept beside the record."""
        for seed in dict.fromkeys(seed for seed, path in self.kept if path.exists()):
            content = b"".join(path.read_bytes() for of, path in self.kept if of == seed and path.exists())
            write_atomically(outputs.outputs_of_seed(self.record_path, seed), content)

    def _run_at_once(self, seeds: Sequence[int], jobs: int) -> None:
        """Have processes measure all units of these seeds: what is tuned first, then the rest."""
        conditions = self.experiment.conditions
        choices = [self._candidates(condition) for condition in conditions]
        tuned = [settings for candidates in choices if len(candidates) > 1 for settings in candidates]
        self._measure_apart([(self.first, settings) for settings in tuned], jobs)
        chosen = [self._tuned(condition) for condition in conditions]
        self._measure_apart([(seed, settings) for seed in seeds for settings in chosen], jobs)

    def _measure_apart(self, units: Iterable[Unit], jobs: int) -> None:
        """Have ``jobs`` processes at a time measure the units that no session has finished.

        Each has a line below the bar. A single unit is left to this process, which shows how far it is. If
        one fails the others are ended, and go on from their checkpoints when the experiment is run again.
        """
        missing = {_label(*unit): unit for unit in units if not self._is_finished(*unit)}
        if len(missing) > 1:
            sent = replace(self.experiment, data=dict, tables=None, gpu=None)
            measure = partial(_measure_apart, sent, self.record_path, self.command, self.blank)
            processes.run_at_once(
                measure, missing, jobs, lambda unit: self._unit(unit[0], unit[1], is_new=True)
            )

    def _is_finished(self, seed: int, settings: Settings) -> bool:
        """Whether a session has finished the unit; then it is read, so that one that does not fit shows."""
        return self._path(seed, settings).exists() and bool(self._unit(seed, settings))

    def remove_units(self) -> None:
        """Remove what earlier sessions have left."""
        for path in self.folder.glob("*seed-*"):
            if re.fullmatch(r"(.+,)?seed-\d+(\.json|\.outputs\.jsonl\.gz)?", path.name):
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)

    def _bar(self, seeds: Sequence[int]) -> Any:
        """A bar over the units, with the time left; a single unit has its own."""
        total = 0
        for condition in self.experiment.conditions:
            n = len(self._candidates(condition))
            total += len(seeds) if n == 1 else n + len({*seeds} - {self.first})
        return tqdm(total=total, unit="unit", smoothing=0, disable=total == 1 or not shows_progress())

    def _tuned(self, condition: Settings) -> Settings:
        candidates = self._candidates(condition)
        if len(candidates) == 1:
            return candidates[0]
        return min(candidates, key=lambda settings: self._unit(self.first, settings).result["valid"])

    def _candidates(self, condition: Settings) -> list[Settings]:
        """The condition with each choice of its tuned values, or with the one that the earlier record has."""
        values = [value.values if isinstance(value, Tuned) else (value,) for value in condition.values()]
        candidates = [dict(zip(condition, chosen)) for chosen in product(*values)]
        return [settings for settings in candidates if settings in self.chosen] or candidates

    def _path(self, seed: int, settings: Settings) -> Path:
        """The file of a finished unit; the folder beside it keeps what is not finished."""
        return self.folder / (re.sub(r"[^\w.,=-]", "_", _label(seed, settings).replace(" ", ",")) + ".json")

    def _unit(self, seed: int, settings: Settings, is_new: bool = False) -> Record:
        """The measurement at this seed with these settings: from this session, from its file, or run now.

        ``is_new`` says that a file that is there has been made by this session.
        """
        label = _label(seed, settings)
        if label in self.units:
            return self.units[label]
        self.bar.set_postfix_str(label)
        path, config = self._path(seed, settings), self.blank.config | settings
        if path.exists():
            unit = read_record(path)
            if (unit.config_hash, unit.data_hash) != (json_hash(config), self.blank.data_hash):
                raise ValueError(
                    f"{path} was made with other settings or data: give --overwrite, or another --record"
                )
            self.bar.initial = getattr(self.bar, "initial", 0) + (not is_new)
        else:
            outputs.outputs_of_unit(path).unlink(missing_ok=True)
            unit = self._measure(seed, settings, path)
            unit = replace(unit, config=config, config_hash=json_hash(config), seeds=[seed])
            write_record(path, unit)
        self.bar.update()
        self.units[label] = unit
        return unit

    def _measure(self, seed: int, settings: Settings, path: Path) -> Record:
        started = time.perf_counter()
        measured = self.experiment.measure(seed, path.with_suffix(""), **settings)
        if not isinstance(measured, Record):
            result = dict(measured)
            minutes, curve = (time.perf_counter() - started) / 60, result.pop("curve", [])
            measured = replace(self.blank, minutes=minutes, curve=curve, result=result)
        result = dict(measured.result)
        if (kept := result.pop("outputs", None)) is not None:
            room = outputs.LIMIT // len(self.experiment.conditions)
            outputs.write_outputs(outputs.outputs_of_unit(path), _label(seed, settings), kept, room)
        hardware = measured.hardware | {"processes": int(os.environ.get("WORLD_SIZE", "1"))}
        return replace(
            self.blank,
            command=self.command_of([seed]),
            hardware=hardware,
            minutes=measured.minutes,
            curve=measured.curve,
            result=result,
        )


def _measure_apart(
    experiment: Experiment, record_path: Path, command: Sequence[str] | None, blank: Record, unit: Unit
) -> None:
    """Measure one unit in a process of its own, and leave its file."""
    session = _Session(experiment, record_path, command)
    session.blank = replace(blank, hardware=session.blank.hardware)
    with tqdm(disable=True) as session.bar:
        session._unit(*unit)


def _label(seed: int, settings: Settings) -> str:
    return " ".join([*(f"{name}={value}" for name, value in settings.items()), f"seed-{seed}"])
