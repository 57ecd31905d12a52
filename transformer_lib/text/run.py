"""Training on text: the folder that a run fills, by its recipe.

Language models (:mod:`~transformer_lib.text.language_model`) and translators
(:mod:`~transformer_lib.text.translation`) share what stands here.
"""

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from torch import Tensor, nn

from transformer_lib.data import CORPORA, PAIRS, Batches, Corpus, ParallelCorpus
from transformer_lib.text.recipe import Recipe
from transformer_lib.training import (
    BEST,
    LAST,
    CheckpointError,
    Record,
    TrainingResult,
    available_device,
    holds_run,
    is_main_process,
    read_header,
    snapshots,
    train,
    write_record,
)
from transformer_lib.training.lock import holding
from transformer_lib.training.progress import shows_progress

__all__ = ["Run", "in_its_folder", "saved_recipe"]

RECORD, BOARD = "record.json", "tensorboard"
MOST_IN_A_BATCH = 50_000_000

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Run:
    """A training run: a recipe and the folder that holds its checkpoints, record and logs.

    Attributes
    ----------
    recipe : Recipe
        What the run computes.
    folder : Path
        Where it is kept.
    resume, overwrite : bool
        Continue the run in ``folder``, or replace it.
    tensorboard : bool
        Write logs for TensorBoard.
    command : sequence of str or None
        What the record names as the command.
    compares : bool
        Compare a language model with n-gram models at the end.
    """

    recipe: Recipe
    folder: Path
    resume: bool = False
    overwrite: bool = False
    tensorboard: bool = False
    command: Sequence[str] | None = None
    compares: bool = True

    @classmethod
    def going_on(cls, recipe: Recipe, folder: Path) -> "Run":
        """The run in ``folder``: from where it was stopped, or else from the beginning."""
        return cls(recipe, folder, resume=holds_run(folder))

    def check_folder(self) -> None:
        """Refuse a folder with a run that is neither to be resumed nor overwritten.

        Raises
        ------
        ValueError
            Naming the folder.
        ModuleNotFoundError
            If logs for TensorBoard are asked for, but it is not installed.
        """
        if self._files() and not (self.resume or self.overwrite):
            raise ValueError(
                f"{self.folder} already holds a run: resume or overwrite it, or choose another run-dir"
            )
        if self.tensorboard and find_spec("tensorboard") is None:
            raise ModuleNotFoundError("No module named 'tensorboard'", name="tensorboard")

    def check_resumable(self, sha256: str) -> None:
        """Refuse to resume a run of other data or another recipe; the loop checks the training's settings.

        The same data may have another name now: a file may have been moved.

        Raises
        ------
        CheckpointError
            Saying what differs.
        """
        if not self.resume:
            return
        notes = _notes_to_resume(self.folder)
        before = _recipe_in(notes, self.folder).to_dict()
        is_other = notes["sha256"] != sha256
        for key, value in self.recipe.to_dict().items():
            if key != "training" and before[key] != value and (is_other or key != "data"):
                raise CheckpointError(
                    f"{self.folder} was trained with {key}={before[key]!r}: it cannot resume with {value!r}"
                    + (", whose content is another" if key == "data" else "")
                )
        if is_other:
            raise CheckpointError(f"the data of {self.folder} has changed: its content has another hash")

    def train(
        self,
        model: nn.Module,
        loss: Callable[[Any, Any], Tensor],
        batches: Batches,
        *,
        evaluate: Callable[[Any], float],
        tokenizer: Mapping[str, Any],
        sha256: str,
    ) -> TrainingResult:
        """Train ``model``; a run to be overwritten is removed here, once everything else is in order."""
        available_device(self.recipe.training)
        with self.held():
            if self.resume:
                header = read_header(self.folder, prefer=LAST)
                if header.get("tokenizer") != json.loads(json.dumps(tokenizer)):
                    raise CheckpointError(f"the tokenizer of {self.folder} comes out differently now")
                if (steps := (header.get("training") or {}).get("steps")) is not None:
                    log.info("going on with %s after step %s", self.folder, f"{steps:,}")
            else:
                for path in self._files():
                    path.unlink(missing_ok=True)
            return train(
                model,
                loss,
                batches,
                self.recipe.training,
                evaluate=evaluate,
                run_dir=self.folder,
                resume=self.resume,
                log_dir=self.folder / BOARD if self.tensorboard else None,
                progress=shows_progress(),
                tokenizer=tokenizer,
                notes={"recipe": self.recipe.to_dict(), "sha256": sha256},
            )

    def held(self) -> AbstractContextManager[None]:
        """The context in which no other run may use the folder; one process of several holds it."""
        return holding(self.folder) if is_main_process() else nullcontext()

    def finish(
        self,
        model: Any,
        trained: TrainingResult,
        corpus: Corpus | ParallelCorpus,
        sizes: tuple[str, Mapping[str, int]],
        vocabulary: str,
        result: Mapping[str, Any],
        rows: Iterable[str],
    ) -> tuple[Record, str]:
        """Write the record of this run with ``result``, and return it with a report to print.

        ``sizes`` say what is counted in each part of the data; the report says ``vocabulary`` of the tokens,
        and ends with ``rows``.
        """
        unit, counts = sizes
        config, best, path = model.config, trained.best, self.folder / RECORD
        record = Record.of_run(
            command=self.command,
            config=self.recipe.to_dict() | {"model": config.to_dict()},
            data={"name": corpus.name, "sha256": corpus.sha256, unit: dict(counts)},
            seeds=[self.recipe.training.seed],
            minutes=trained.seconds / 60,
            curve=[asdict(point) for point in trained.evaluations],
            device=trained.device,
            result={
                **result,
                "parameters": model.n_parameters(),
                "steps": trained.steps,
                "best_step": best.step if best else None,
                "tokens_per_second": trained.tokens_per_second,
            },
        )
        write_record(path, record)
        names = ("n_layers", "d_model", "n_heads", "context_length")
        shape = ", ".join(f"{name} {getattr(config, name)}" for name in names if hasattr(config, name))
        lines = [
            f"{corpus.name}: {corpus.description}",
            f"  {vocabulary}; {', '.join(f'{part} {n:,}' for part, n in counts.items())} {unit}",
            f"{type(model).__name__}: {model.n_parameters():,} parameters ({shape})",
            f"  {trained.steps:,} steps{', stopped early' if trained.stopped_early else ''}, "
            f"{trained.tokens:,} tokens in {record.minutes:.1f} minutes on {trained.device.type}, "
            f"{trained.tokens_per_second:,.0f} tokens/s, {trained.overhead:.0%} of the time for evaluations"
            + (f"; best after step {best.step:,}" if best else ""),
        ]
        return record, "\n".join([*lines, "", *rows, "", f"Record: {path}"])

    def _files(self) -> list[Path]:
        named = [self.folder / name for name in (BEST, LAST, RECORD) if (self.folder / name).exists()]
        return [*named, *snapshots(self.folder)]


def in_its_folder(train: Callable[Concatenate[Run, P], T]) -> Callable[Concatenate[Run, P], T]:
    """``train(run, ...)``, which holds the run's folder from its first check to its record."""

    @wraps(train)
    def holding_it(run: Run, *args: P.args, **options: P.kwargs) -> T:
        with run.held():
            return train(run, *args, **options)

    return holding_it


def saved_recipe(folder: str | Path) -> Recipe:
    """The recipe of the run in ``folder``, or of a checkpoint.

    Raises
    ------
    CheckpointError
        If there is no run, or it was not made from a recipe.
    """
    return _recipe_in(_notes_to_resume(folder), folder)


def _recipe_in(notes: Mapping[str, Any], folder: str | Path) -> Recipe:
    try:
        return Recipe.from_dict(notes["recipe"])
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"the recipe of {folder} cannot be read: {error}") from error


def notes_of(training: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The ``recipe`` of the run that has saved a checkpoint and the ``sha256`` of its data.

    ``training`` is what the checkpoint says of that. ``None`` if no :class:`Run` has saved it.
    """
    notes = (training or {}).get("notes")
    is_ours = isinstance(notes, dict) and "sha256" in notes and isinstance(notes.get("recipe"), dict)
    return notes if is_ours else None


def check_is_here(path: str | Path, data: str) -> None:
    """Refuse to go on with the model at ``path`` where the file is missing that it was trained on."""
    if data not in {*CORPORA, *PAIRS} and not Path(data).exists():
        raise ValueError(f"{path} was trained on {data}, which is not here: say with --data where it is")


def check_batch(what: str, size: int) -> None:
    """Refuse a batch that would fill the memory before its first step ends."""
    if size > MOST_IN_A_BATCH:
        raise ValueError(f"a batch of {size:,} {what} is too large: take a smaller batch_size")


def _notes_to_resume(folder: str | Path) -> dict[str, Any]:
    notes = notes_of(read_header(folder, prefer=LAST).get("training"))
    if notes is None:
        raise CheckpointError(f"{folder} was not made by this command, so this command cannot resume it")
    return notes
