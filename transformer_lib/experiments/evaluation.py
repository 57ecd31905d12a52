"""Scoring a checkpoint on data of its own kind: what ``python -m transformer_lib evaluate`` runs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from transformer_lib.data import PAIRS, load_corpus, load_pairs
from transformer_lib.data.pairs import Pair
from transformer_lib.experiments.loading import load_any
from transformer_lib.experiments.runs import saved_recipe
from transformer_lib.experiments.scores import (
    BEAMS,
    LENGTH_PENALTY,
    TextScore,
    TranslationScore,
    score_text,
    score_translator,
)
from transformer_lib.experiments.translator import Translator
from transformer_lib.training import CheckpointError
from transformer_lib.training.checkpoints import check_folder, write_atomically
from transformer_lib.validation import check_choice

__all__ = ["PARTS", "EvaluationReport", "evaluate_checkpoint", "read_pairs"]

PARTS = ("train", "valid", "test")
FORMAT_VERSION = 1


@dataclass(frozen=True)
class EvaluationReport:
    """What a checkpoint scores on a part of some data.

    Attributes
    ----------
    checkpoint, model : str
        The path that was given, and the model's class.
    data, part : str
        The data's name or file, and its part.
    sha256 : str or None
        Of the data's content; ``None`` for a file of pairs.
    parameters : int
        Trainable numbers of the model.
    score : TextScore or TranslationScore
        Of the part, or of its first pairs or documents.
    """

    checkpoint: str
    model: str
    data: str
    part: str
    sha256: str | None
    parameters: int
    score: TextScore | TranslationScore

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return {"format_version": FORMAT_VERSION} | asdict(self)

    def __str__(self) -> str:
        return (
            f"{self.model} of {self.parameters:,} parameters from {self.checkpoint}\n"
            f"{self.data}, {self.part} part\n{self.score}"
        )


def evaluate_checkpoint(
    path: str | Path,
    *,
    data: str | None = None,
    part: str = "test",
    limit: int | None = None,
    n_beams: int = BEAMS,
    length_penalty: float = LENGTH_PENALTY,
    json_path: str | Path | None = None,
    device: str = "cpu",
    progress: bool = False,
) -> EvaluationReport:
    """Score the language model or the translator at ``path``.

    Parameters
    ----------
    data
        The name of data, or a file: text for a language model; for a translator lines of a source, a tab and
        its reference, which are all taken. By default what the model was trained on.
    part
        ``"train"``, ``"valid"`` or ``"test"``.
    limit
        Take only so many documents or pairs, the first.
    n_beams, length_penalty
        Of the beam search.
    json_path
        Where the report is written too, whole or not at all.
    device
        As for :func:`~transformer_lib.experiments.loading.load_any`.

    Raises
    ------
    ValueError
        If the checkpoint, the data or a setting is not in order, or the data is not of the model's kind.
    """
    check_choice("part", part, PARTS)
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be at least 1; got {limit}")
    if json_path is not None:
        json_path = Path(json_path)
        check_folder(json_path.parent)
        if json_path.is_dir():
            raise ValueError(f"{json_path} is a folder: name a file for the JSON")
    loaded = load_any(path, device)
    data = _data_of(path) if data is None else data
    if isinstance(loaded, Translator):
        model, name, sha256, part, pairs = loaded.model, *_pairs(data, part)
        score = score_translator(
            loaded, pairs[:limit], n_beams=n_beams, length_penalty=length_penalty, progress=progress
        )
    else:
        if data in PAIRS:
            raise ValueError(f"{data} holds translations, and {path} a language model: give it a text")
        corpus, (model, tokenizer) = load_corpus(data), loaded
        name, sha256 = corpus.name, corpus.sha256
        score = score_text(model, tokenizer, getattr(corpus, part)[:limit], progress=progress)
    n_parameters = sum(parameter.numel() for parameter in model.parameters())
    report = EvaluationReport(
        Path(path).as_posix(), type(model).__name__, name, part, sha256, n_parameters, score
    )
    if json_path is not None:
        write_json(json_path, report.to_dict())
    return report


def read_pairs(path: str | Path) -> list[Pair]:
    """The pairs in a UTF-8 file: on each line that is not empty a source, a tab and its target.

    Raises
    ------
    ValueError
        If the file cannot be read, or a line has not one tab, naming it.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text: convert it, or give another file") from error
    pairs = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            source, tab, target = line.partition("\t")
            if not tab or "\t" in target:
                raise ValueError(f"line {number} of {path} must be a source, one tab and its target")
            pairs.append((source.strip(), target.strip()))
    return pairs


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Write ``values`` to a file, whole or not at all."""
    text = json.dumps(values, indent=2, allow_nan=False, ensure_ascii=False)
    write_atomically(path, (text + "\n").encode())


def _data_of(path: str | Path) -> str:
    try:
        return saved_recipe(path).data
    except CheckpointError as error:
        raise ValueError(f"{path} does not say what it was trained on: give --data") from error


def _pairs(data: str, part: str) -> tuple[str, str | None, str, Sequence[Pair]]:
    """Name, hash, part and pairs of the data called, or in the file at, ``data``."""
    if data in PAIRS or not Path(data).is_file():
        corpus = load_pairs(data)
        return corpus.name, corpus.sha256, part, getattr(corpus, part)
    return Path(data).name, None, "whole", read_pairs(data)
