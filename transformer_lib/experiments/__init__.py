"""The book's experiments, a folder for each chapter; `running` has what runs them and reads their records.

An experiment is a module of a chapter's folder in which an
:class:`~transformer_lib.experiments.running.runner.Experiment` stands, or several. Its committed record is in
the repository's ``book/records``; chapters read it by :func:`load_results`. What a chapter finds of the
sources' claims stands in its folder's ``verdicts.py``; chapters show it by :func:`show_verdict`.
"""

from importlib import import_module
from pathlib import Path

from transformer_lib.checks import check_choice
from transformer_lib.experiments.running.results import Results, SeedInterval
from transformer_lib.experiments.running.runner import Experiment, Tuned, run, run_seed
from transformer_lib.experiments.running.verdict_box import VerdictBox
from transformer_lib.experiments.running.verdicts import Contrast, Verdict
from transformer_lib.experiments.shared.thank_you import Scoreboard, scoreboard
from transformer_lib.training import read_record

__all__ = [
    "EXPERIMENTS",
    "VERDICTS",
    "Contrast",
    "Experiment",
    "Results",
    "Scoreboard",
    "SeedInterval",
    "Tuned",
    "Verdict",
    "load_results",
    "run",
    "run_seed",
    "show_scoreboard",
    "show_verdict",
]


def _found() -> dict[str, Experiment]:
    """Every experiment in a chapter's folder, by name, in the order of the chapters."""
    found: dict[str, Experiment] = {}
    for path in sorted(Path(__file__).parent.glob("chapter_*/*.py")):
        if "__main__" not in path.read_text(encoding="utf-8"):  # a program's imports take a second
            values = vars(import_module(f"{__name__}.{path.parent.name}.{path.stem}")).values()
            found |= {one.name: one for one in values if isinstance(one, Experiment)}
    return dict(sorted(found.items(), key=lambda item: item[1].chapter))


EXPERIMENTS = _found()
"""The experiments by name.

:meta hide-value:
"""


def _found_verdicts() -> dict[int, list[Verdict]]:
    """The verdicts of each chapter that has some, by its number."""
    folders = sorted(path.parent.name for path in Path(__file__).parent.glob("chapter_*/verdicts.py"))
    modules = {int(name[-2:]): import_module(f"{__name__}.{name}.verdicts") for name in folders}
    return {chapter: list(module.VERDICTS) for chapter, module in modules.items()}


VERDICTS = _found_verdicts()
"""The verdicts by chapter.

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
    if not path.exists():
        raise ValueError(f"{name} has no committed record: make {path.name} in book/records by `reproduce`")
    return Results(read_record(path), path)


def show_verdict(claim: str, chapter: int | None = None) -> VerdictBox:
    """The verdict on a claim with its effects, computed from the records.

    Parameters
    ----------
    chapter
        Whose verdict, where several chapters have one.

    Raises
    ------
    ValueError
        If there is none, or several chapters have one and none is named.
    """
    found = [
        verdict
        for number, verdicts in VERDICTS.items()
        for verdict in verdicts
        if verdict.claim == claim and chapter in (None, number)
    ]
    if len(found) != 1:
        said = ", ".join(f"{v.claim} in chapter {n}" for n, verdicts in VERDICTS.items() for v in verdicts)
        raise ValueError(f"{len(found)} verdicts on {claim}: name one of {said}, with its chapter")
    return VerdictBox(found[0], found[0].effects(load_results))


def show_scoreboard(chapter: int) -> Scoreboard:
    """The models of the tales up to a chapter: how often each knows the hero's name, and what it writes.

    Its rows are in the committed records of the experiments called ``scoreboard`` or ``scoreboard-...``.
    """
    named = [one for one in EXPERIMENTS.values() if one.name.partition("-")[0] == "scoreboard"]
    recorded = [load_results(one.name) for one in named if one.committed_record.exists()]
    return scoreboard(recorded, chapter)
