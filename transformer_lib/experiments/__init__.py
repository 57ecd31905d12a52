"""The book's experiments, a folder for each chapter; `running` has what runs them and reads their records.

An experiment is a module of a chapter's folder in which an
:class:`~transformer_lib.experiments.running.runner.Experiment` stands, or several. Its committed record is in
the repository's ``book/records``; chapters read it by :func:`load_results`.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from transformer_lib.checks import check_choice
from transformer_lib.experiments.running.results import Results, SeedInterval
from transformer_lib.experiments.running.runner import Experiment, Tuned, run, run_seed
from transformer_lib.training import read_record

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Results",
    "SeedInterval",
    "Tuned",
    "load_results",
    "run",
    "run_seed",
]


def _found() -> dict[str, Experiment]:
    """Every experiment in a chapter's folder, by name, in the order of the chapters."""
    found: dict[str, Experiment] = {}
    for folder in sorted(Path(__file__).parent.glob("chapter_*")):
        for module in iter_modules([str(folder)]):
            values = vars(import_module(f"{__name__}.{folder.name}.{module.name}")).values()
            found |= {one.name: one for one in values if isinstance(one, Experiment)}
    return dict(sorted(found.items(), key=lambda item: item[1].chapter))


EXPERIMENTS = _found()
"""The experiments by name.

:meta hide-value:
"""


def load_results(name: str) -> Results:
    """The committed record of the experiment called ``name``, to be read by name.

    ``NAME-gpu`` is the record of the form for a GPU of ``NAME``.

    Raises
    ------
    ValueError
        If there is no such experiment, or no record of it yet.
    """
    known = EXPERIMENTS | {one.gpu.name: one.gpu for one in EXPERIMENTS.values() if one.gpu is not None}
    check_choice("experiment", name, known)
    path = known[name].committed_record
    return Results(read_record(path), path)
