"""The book's headline experiments by name: each is run whole and leaves a record.

Records accumulate where runs differ in their seed alone: seeds run today join those of yesterday.
"""

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from transformer_lib.experiments import marginals
from transformer_lib.experiments.language_model import train_language_model
from transformer_lib.experiments.recipe import Recipe
from transformer_lib.experiments.runs import Run
from transformer_lib.experiments.translation import train_translator, translation_recipe
from transformer_lib.training import BEST, LAST, Record, read_record, write_record
from transformer_lib.training.checkpoints import check_folder
from transformer_lib.validation import check_choice

__all__ = ["EXPERIMENTS", "Experiment", "Request", "join_records", "reproduce"]


@dataclass(frozen=True)
class Request:
    """What is to be run: the seeds, where, and how it tells of itself.

    Attributes
    ----------
    seeds : tuple of int
        At least one, all different.
    folder : Path
        For checkpoints.
    overwrite : bool
        Replace runs that are there, instead of going on with them.
    progress : bool
        Show a bar.
    say : callable
        Told in a line what begins.
    command : sequence of str or None
        What the record names as the command.
    """

    seeds: tuple[int, ...]
    folder: Path
    overwrite: bool = False
    progress: bool = True
    say: Callable[[str], None] = lambda message: None
    command: Sequence[str] | None = None


@dataclass(frozen=True)
class Experiment:
    """A headline experiment of the book.

    Attributes
    ----------
    description : str
        What it measures, in a line.
    minutes : int
        About how long it takes on two cores, with the usual seeds.
    seeds : tuple of int
        The usual ones.
    run : callable
        Makes the record of a :class:`Request`.
    joins : bool
        Whether records of other seeds can join: not where a choice is made at the first seed.
    """

    description: str
    minutes: int
    seeds: tuple[int, ...]
    run: Callable[[Request], Record]
    joins: bool = True


def reproduce(
    name: str,
    record_path: str | Path,
    *,
    seeds: Sequence[int] | None = None,
    overwrite: bool = False,
    progress: bool = True,
    say: Callable[[str], None] = lambda message: None,
    command: Sequence[str] | None = None,
) -> Record:
    """Run the experiment called ``name``, and write its record or join it to the one that is there.

    A run that was stopped is gone on with. Checkpoints lie beside the record, in a folder named after it.

    Raises
    ------
    ValueError
        If there is no such experiment, a seed is wrong, or the record is there and the new one cannot join.
    """
    check_choice("experiment", name, EXPERIMENTS)
    experiment, record_path = EXPERIMENTS[name], Path(record_path)
    seeds = experiment.seeds if seeds is None else tuple(seeds)
    if not seeds or len(set(seeds)) < len(seeds) or not all(0 <= seed < 2**32 for seed in seeds):
        raise ValueError(f"seeds must be different whole numbers from 0 to 2**32 - 1; got {list(seeds)}")
    if record_path.is_dir():
        raise ValueError(f"{record_path} is a folder: name a file for the record")
    check_folder(record_path.parent)
    earlier = read_record(record_path) if record_path.exists() and not overwrite else None
    if earlier is not None:
        if not experiment.joins:
            raise ValueError(
                f"{record_path} is there, and records of {name} cannot be joined, since the learning rates "
                "are chosen at the first seed: overwrite it, or give another --record"
            )
        if known := sorted(set(seeds) & set(earlier.seeds)):
            raise ValueError(f"{record_path} has the seeds {known} already: give others, or overwrite it")
    request = Request(seeds, record_path.with_suffix(""), overwrite, progress, say, command)
    record = experiment.run(request)
    record = record if earlier is None else join_records(earlier, record)
    write_record(record_path, record)
    return record


def join_records(earlier: Record, later: Record) -> Record:
    """One record of the seeds of both: runs side by side, with mean and spread computed anew.

    The commit, the hardware and the versions are the later's; each run says its own commit and hardware.

    Raises
    ------
    ValueError
        If configuration or data differ, so that they are not the same experiment.
    """
    for what in ("config", "data"):
        if getattr(earlier, f"{what}_hash") != getattr(later, f"{what}_hash"):
            raise ValueError(f"the records cannot be joined: their {what} differs")
    if known := sorted(set(earlier.seeds) & set(later.seeds)):
        raise ValueError(f"the records cannot be joined: both have the seeds {known}")
    return replace(
        later,
        seeds=earlier.seeds + later.seeds,
        minutes=earlier.minutes + later.minutes,
        curve=earlier.curve + later.curve,
        result=_summary(earlier.result["runs"] + later.result["runs"]),
    )


def _train_seeds(recipe: Recipe, train: Callable[[Run], Any]) -> Callable[[Request], Record]:
    """An experiment that trains by ``recipe`` once for each seed."""

    def run(request: Request) -> Record:
        records = []
        for seed in request.seeds:
            folder = request.folder / f"seed-{seed}"
            seeded = replace(recipe, training=replace(recipe.training, seed=seed))
            resume = not request.overwrite and any((folder / name).exists() for name in (BEST, LAST))
            request.say(f"seed {seed}: {'going on' if resume else 'training'} in {folder}")
            report = train(
                Run(
                    seeded,
                    folder,
                    resume=resume,
                    overwrite=request.overwrite,
                    progress=request.progress,
                    say=request.say,
                    command=request.command,
                )
            )
            records.append(_of_one_seed(read_record(report.record), seed))
        joined = records[0]
        for record in records[1:]:
            joined = join_records(joined, record)
        return joined

    return run


def _of_one_seed(record: Record, seed: int) -> Record:
    """The record in the form in which seeds join: the seed stands in the runs, not in the configuration."""
    training = {key: value for key, value in record.config["training"].items() if key != "seed"}
    entry = {
        "seed": seed,
        "minutes": record.minutes,
        "command": record.command,
        "commit": record.commit,
        "hardware": record.hardware,
        "result": record.result,
    }
    return Record.of_run(
        config=record.config | {"training": training},
        data=record.data,
        seeds=[seed],
        minutes=record.minutes,
        curve=[{"seed": seed, **point} for point in record.curve],
        result=_summary([entry]),
        command=record.command,
    )


def _summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The runs, and of each number in their results the mean and, of two or more, the standard deviation."""
    numbers: dict[str, list[float]] = {}
    for run in runs:
        for name, value in _numbers(run["result"]).items():
            numbers.setdefault(name, []).append(value)
    return {
        "mean": {name: math.fsum(values) / len(values) for name, values in numbers.items()},
        "standard_deviation": {
            name: statistics.stdev(values) if len(values) > 1 else None for name, values in numbers.items()
        },
        "runs": runs,
    }


def _numbers(values: dict[str, Any], prefix: str = "") -> dict[str, float]:
    found = {}
    for key, value in values.items():
        if isinstance(value, dict):
            found |= _numbers(value, f"{prefix}{key}.")
        elif isinstance(value, int | float):
            found[prefix + key] = float(value)
    return found


def _marginals(request: Request) -> Record:
    request.say("training on digits; there is no bar, and an interrupted run begins anew")
    return marginals.run(request.seeds, command=request.command)


EXPERIMENTS = {
    "marginals": Experiment(
        "chapter 2: conditionals for each position against a padded history, on binary digits",
        15,
        (0, 1, 2, 3, 4),
        _marginals,
        joins=False,
    ),
    "tales": Experiment(
        "chapter 11: a language model of tales, its distance from the source and from Kneser-Ney",
        2,
        (0,),
        _train_seeds(Recipe(), train_language_model),
    ),
    "number-words": Experiment(
        "chapter 13: German number words into English: exact match and BLEU",
        4,
        (0,),
        _train_seeds(translation_recipe(), train_translator),
    ),
}
"""The experiments by name."""
