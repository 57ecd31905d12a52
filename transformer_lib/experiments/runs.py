"""What training runs of every kind share: their folder, whether they can be resumed, and their record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from transformer_lib.config import TransformerConfig
from transformer_lib.data import Corpus, ParallelCorpus
from transformer_lib.experiments.recipe import Recipe
from transformer_lib.training import (
    BEST,
    LAST,
    Batches,
    CheckpointError,
    Record,
    TrainingResult,
    available_device,
    load_checkpoint,
    train,
)

__all__ = ["RECORD", "Run", "describe_data", "saved_recipe"]

RECORD = "record.json"
BOARD = "tensorboard"


@dataclass(frozen=True)
class Run:
    """A training run that is asked for.

    Attributes
    ----------
    recipe : Recipe
        What it computes.
    folder : Path
        For checkpoints, the record, and the logs for TensorBoard.
    resume, overwrite : bool
        Go on with the run in ``folder``, or replace it.
    progress : bool
        Show a bar while training.
    tensorboard : bool
        Write logs for TensorBoard.
    say : callable
        Told in a line what begins.
    command : sequence of str or None
        What the record names as the command.
    """

    recipe: Recipe
    folder: Path
    resume: bool = False
    overwrite: bool = False
    progress: bool = True
    tensorboard: bool = False
    say: Callable[[str], None] = lambda message: None
    command: Sequence[str] | None = None

    @property
    def record_path(self) -> Path:
        """Where the record is written."""
        return self.folder / RECORD

    def check_folder(self) -> None:
        """Refuse to go on where a run is that is neither to be resumed nor overwritten.

        Raises
        ------
        ValueError
            Naming the folder.
        ModuleNotFoundError
            If logs for TensorBoard are asked for, but it is missing.
        """
        if self._earlier() and not (self.resume or self.overwrite):
            raise ValueError(
                f"{self.folder} already holds a run: resume or overwrite it, or choose another run-dir"
            )
        if self.tensorboard and find_spec("tensorboard") is None:
            raise ModuleNotFoundError("No module named 'tensorboard'", name="tensorboard")

    def check_resumable(self, sha256: str) -> None:
        """Refuse to resume a run of other data or another recipe; how it is trained is checked by the loop.

        Raises
        ------
        CheckpointError
            Saying what differs.
        """
        if not self.resume:
            return
        earlier = _notes(self.folder)
        before = Recipe.from_dict(earlier["recipe"]).to_dict()
        for key, value in self.recipe.to_dict().items():
            if key != "training" and before[key] != value:
                raise CheckpointError(
                    f"{self.folder} was trained with {key}={before[key]!r}: it cannot resume with {value!r}"
                )
        if earlier["sha256"] != sha256:
            raise CheckpointError(
                f"the data of {self.folder} has changed since: its content has another hash"
            )

    def config(self, **from_tokenizer: int | None) -> TransformerConfig:
        """The shape of the model; says so if the preset's vocabulary gives way to the tokenizer's."""
        config, preset_size = self.recipe.config(**from_tokenizer), self.recipe.preset_vocab_size()
        if preset_size not in (None, config.vocab_size):
            self.say(
                f"{self.recipe.preset}'s vocabulary of {preset_size:,} gives way to the tokenizer's "
                f"{config.vocab_size:,}"
            )
        return config

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
        """Train ``model``; a run to be overwritten is removed when all but the training is in order."""
        available_device(self.recipe.training)
        if not self.resume:
            for path in self._earlier():
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
            progress=self.progress,
            tokenizer=tokenizer,
            notes={"recipe": self.recipe.to_dict(), "sha256": sha256},
        )

    def record(
        self,
        config: TransformerConfig,
        n_parameters: int,
        training: TrainingResult,
        data: Mapping[str, Any],
        result: Mapping[str, Any],
    ) -> Record:
        """The record of this run, with what every training has besides ``result``."""
        return Record.of_run(
            command=self.command,
            config=self.recipe.to_dict() | {"model": config.to_dict()},
            data=data,
            seeds=[self.recipe.training.seed],
            minutes=training.seconds / 60,
            curve=[asdict(point) for point in training.evaluations],
            device=training.device,
            result={
                **result,
                "parameters": n_parameters,
                "steps": training.steps,
                "best_step": training.best.step,
                "tokens_per_second": training.tokens_per_second,
            },
        )

    def _earlier(self) -> list[Path]:
        return [self.folder / name for name in (BEST, LAST, RECORD) if (self.folder / name).exists()]


def saved_recipe(folder: str | Path) -> Recipe:
    """The recipe of the run in ``folder``, or of a checkpoint.

    Raises
    ------
    CheckpointError
        If there is no run, or it was not made from a recipe.
    """
    return Recipe.from_dict(_notes(Path(folder))["recipe"])


def describe_data(corpus: Corpus | ParallelCorpus, sizes: Mapping[str, int], unit: str) -> dict[str, Any]:
    """What a record says of the data."""
    return {"name": corpus.name, "sha256": corpus.sha256, unit: dict(sizes)}


def _notes(folder: Path) -> dict[str, Any]:
    checkpoint = load_checkpoint(folder, prefer=LAST)
    notes = (checkpoint.training or {}).get("notes")
    if not isinstance(notes, dict) or "recipe" not in notes:
        raise CheckpointError(
            f"{checkpoint.path} was not made by this command, so it cannot be resumed by it"
        )
    return notes
