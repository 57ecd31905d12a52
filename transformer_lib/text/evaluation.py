"""Checkpoints of models that read and write text: loading one, and scoring it on data of its own kind."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformer_lib.checks import check_choice, check_positive
from transformer_lib.data import (
    PAIRS,
    Tokenizer,
    are_pairs,
    encode_pairs,
    load_corpus,
    load_pairs,
    read_pairs,
    token_stream,
    tokenizer_from_dict,
)
from transformer_lib.data.pairs import Pair, without_long
from transformer_lib.data.tokenizers import count_unknown
from transformer_lib.interfaces import ConditionalModel, SequenceModel
from transformer_lib.text.language_model import score_text, text_table
from transformer_lib.text.run import check_is_here, notes_of
from transformer_lib.text.translation import (
    BEAMS,
    LENGTH_PENALTY,
    Translator,
    score_translator,
    translation_table,
)
from transformer_lib.training import (
    Checkpoint,
    CheckpointError,
    TrainingConfig,
    available_device,
    load_checkpoint,
)
from transformer_lib.training.files import check_folder, write_atomically

__all__ = ["PARTS", "evaluate_checkpoint", "load_any", "load_language_model", "load_translator"]

log = logging.getLogger(__name__)
PARTS = ("train", "valid", "test")
FORMAT_VERSION = 1

Loaded = tuple[SequenceModel, Tokenizer] | Translator


def load_any(path: str | Path, device: str = "cpu") -> Loaded:
    """The language model with its tokenizer, or the translator, in a checkpoint or a run's folder.

    Parameters
    ----------
    device
        Where to put the model: ``"cpu"``, ``"cuda"``, ``"mps"``, or ``"auto"`` for an accelerator, if any.

    Raises
    ------
    ValueError
        If there is no such device here.
    CheckpointError
        If there is no checkpoint, it holds neither kind of model, or it lacks a tokenizer that fits.
    """
    return _model_of(load_checkpoint(path), device)


def _model_of(checkpoint: Checkpoint, device: str) -> Loaded:
    where = available_device(TrainingConfig(device=device))
    model = checkpoint.build_model().to(where)
    if not isinstance(model, SequenceModel | ConditionalModel):
        raise CheckpointError(
            f"{checkpoint.path} holds a {checkpoint.model_class}, which is no language model and no "
            "translator"
        )
    values = checkpoint.tokenizer
    if values is None:
        raise CheckpointError(f"{checkpoint.path} has no tokenizer, so it cannot read or write text")
    if isinstance(model, SequenceModel):
        return model, _tokenizer(checkpoint.path, values, model.vocab_size)
    if values.keys() != {"source", "target"}:
        raise CheckpointError(f"{checkpoint.path} has not the tokenizers of two languages")
    sizes = {"source": model.source_vocab_size, "target": model.vocab_size}
    return Translator(model, *(_tokenizer(checkpoint.path, values[side], sizes[side]) for side in sizes))


def load_language_model(path: str | Path, device: str = "cpu") -> tuple[SequenceModel, Tokenizer]:
    """The language model in a checkpoint or a run's folder, of whatever class, and its tokenizer.

    Raises
    ------
    CheckpointError
        As :func:`load_any`, or if it is a translator.
    """
    loaded = load_any(path, device)
    if isinstance(loaded, Translator):
        name = type(loaded.model).__name__
        raise CheckpointError(f"{path} holds a {name}, which is no language model: it can translate")
    return loaded


def load_translator(path: str | Path, device: str = "cpu") -> Translator:
    """The translator in a checkpoint or a run's folder.

    Raises
    ------
    CheckpointError
        As :func:`load_any`, or if it is a language model.
    """
    loaded = load_any(path, device)
    if not isinstance(loaded, Translator):
        name = type(loaded[0]).__name__
        raise CheckpointError(f"{path} holds a {name}, which is no translator: it can be sampled")
    return loaded


def evaluate_checkpoint(
    path: str | Path,
    *,
    data: str | None = None,
    part: str = "test",
    limit: int | None = None,
    n_beams: int | None = None,
    length_penalty: float | None = None,
    json_path: str | Path | None = None,
    device: str = "cpu",
    skip_long: bool = False,
) -> str:
    """Score the language model or the translator at ``path``, and return a report to print.

    Parameters
    ----------
    data
        The name of data, or a file: text for a language model; for a translator, lines of a source, a tab and
        its reference, all of which are used. By default what the model was trained on.
    part
        ``"train"``, ``"valid"`` or ``"test"``.
    limit
        Use only this many documents or pairs, the first.
    n_beams, length_penalty
        Of a translator's beam search, 4 and 0.6 by default.
    json_path
        Where to write the numbers of the report too, whole or not at all.
    device
        As for :func:`load_any`.
    skip_long
        Leave out pairs that a translator cannot read, as it is done where it was trained so.

    Raises
    ------
    ValueError
        If the checkpoint, the data or a setting is not in order, or the data is not of the model's kind.
    """
    check_choice("part", part, PARTS)
    if limit is not None:
        check_positive(limit=limit)
    if json_path is not None:
        json_path = Path(json_path)
        check_folder(json_path.parent)
        if json_path.is_dir():
            raise ValueError(f"{json_path} is a folder: name a file for the JSON")
    checkpoint = load_checkpoint(path)
    loaded, notes = _model_of(checkpoint, device), notes_of(checkpoint.training)
    del checkpoint  # and with it a second copy of the weights
    trained_on = None if notes is None else notes["recipe"].get("data")
    is_named = data is not None
    data = trained_on if data is None else data
    if data is None:
        raise ValueError(f"{path} was not made by train and does not name its data: give --data")
    if not is_named:
        check_is_here(path, data)
    model: Any
    if isinstance(loaded, Translator):
        model = loaded.model
        _check_direction(path, data, trained_on)
        name, sha256, part, pairs = _pairs(data, part, is_named)
        pairs = pairs[:limit]
        if skip_long or (not is_named and notes is not None and notes["recipe"].get("skip_long")):
            encoded = encode_pairs(pairs, loaded.source_tokenizer, loaded.target_tokenizer)
            pairs, _ = without_long(part, pairs, encoded, loaded.context_length)
        score = score_translator(
            loaded,
            pairs,
            n_beams=BEAMS if n_beams is None else n_beams,
            length_penalty=LENGTH_PENALTY if length_penalty is None else length_penalty,
            path=None if data in PAIRS else data,
        )
        references = token_stream([target for _, target in pairs], loaded.target_tokenizer)
        score["unknown_target_tokens"] = unknown = count_unknown(loaded.target_tokenizer, references)
        table = f"{translation_table(score)}\n  target tokens that are unknown: {unknown:,}"
    else:
        if (n_beams, length_penalty) != (None, None):
            raise ValueError(
                f"{path} holds a language model, which has no beam search: leave out beams and length penalty"
            )
        if are_pairs(data):
            raise ValueError(f"{data} holds translations, and {path} a language model: give it a text")
        corpus, (model, tokenizer) = load_corpus(data), loaded
        name, sha256 = corpus.name, corpus.sha256
        score = score_text(model, tokenizer, getattr(corpus, part)[:limit])
        table = text_table(score)
    if notes is not None and not is_named and sha256 != notes["sha256"]:
        log.warning("%s has changed since %s was trained on it: its parts may be others now", name, path)
    values = {
        "format_version": FORMAT_VERSION,
        "checkpoint": Path(path).as_posix(),
        "model": type(model).__name__,
        "data": name,
        "part": part,
        "sha256": sha256,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "score": score,
    }
    if json_path is not None:
        text = json.dumps(values, indent=2, allow_nan=False, ensure_ascii=False)
        write_atomically(json_path, (text + "\n").encode())
    return (
        f"{values['model']} of {values['parameters']:,} parameters from {values['checkpoint']}\n"
        f"{name}, {part} part\n{table}"
    )


def _check_direction(path: str | Path, data: str, trained_on: str | None) -> None:
    """Refuse the pairs that a translator was trained on if source and target are exchanged."""
    if data in PAIRS:
        *name, source, target = data.split("-")
        if trained_on == "-".join([*name, target, source]):
            raise ValueError(
                f"{path} translates the other way: it was trained on {trained_on}, not on {data}"
            )


def _pairs(data: str, part: str, is_named: bool) -> tuple[str, str | None, str, Sequence[Pair]]:
    """Name, hash, part and pairs of the data; of a file that is named, rather than trained on, all pairs."""
    if data in PAIRS or not (is_named and Path(data).is_file()):
        corpus = load_pairs(data)
        return corpus.name, corpus.sha256, part, getattr(corpus, part)
    return Path(data).name, None, "whole", read_pairs(data)


def _tokenizer(path: Path, values: Any, vocab_size: int) -> Tokenizer:
    try:
        tokenizer = tokenizer_from_dict(dict(values))
    except (ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} has no tokenizer that can be read: {error}") from error
    if tokenizer.vocab_size != vocab_size:
        raise CheckpointError(
            f"{path} has a model of {vocab_size} tokens and a tokenizer of {tokenizer.vocab_size}: they do "
            "not belong together"
        )
    return tokenizer
