"""Models that read and write text, from their checkpoints."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transformer_lib.autoregressive import ConditionalModel, SequenceModel
from transformer_lib.data import Tokenizer, tokenizer_from_dict
from transformer_lib.experiments.translator import Translator
from transformer_lib.training import (
    Checkpoint,
    CheckpointError,
    TrainingConfig,
    available_device,
    load_checkpoint,
)

__all__ = ["load_any", "load_language_model", "load_translator"]


def load_any(path: str | Path, device: str = "cpu") -> tuple[SequenceModel, Tokenizer] | Translator:
    """The language model with its tokenizer, or the translator, in a checkpoint or a run's folder.

    Parameters
    ----------
    device
        Where the model is to be: ``"cpu"``, ``"cuda"``, ``"mps"``, or ``"auto"`` for an accelerator, if any.

    Raises
    ------
    ValueError
        If there is no such device here.
    CheckpointError
        If there is none, or it is neither, or lacks a tokenizer that fits it.
    """
    device = available_device(TrainingConfig(device=device))
    checkpoint = load_checkpoint(path)
    model = checkpoint.build_model().to(device)
    if isinstance(model, SequenceModel):
        tokenizer = _tokenizer(checkpoint, _tokenizer_values(checkpoint), model.vocab_size)
        return model, tokenizer
    if isinstance(model, ConditionalModel):
        values = _tokenizer_values(checkpoint)
        if values.keys() != {"source", "target"}:
            raise CheckpointError(f"{checkpoint.path} has not the tokenizers of two languages")
        source = _tokenizer(checkpoint, values["source"], model.source_vocab_size)
        return Translator(model, source, _tokenizer(checkpoint, values["target"], model.vocab_size))
    raise CheckpointError(
        f"{checkpoint.path} holds a {checkpoint.model_class}, which is no language model and no translator"
    )


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


def _tokenizer_values(checkpoint: Checkpoint) -> Mapping[str, Any]:
    if checkpoint.tokenizer is None:
        raise CheckpointError(f"{checkpoint.path} has no tokenizer, so it cannot read or write text")
    return checkpoint.tokenizer


def _tokenizer(checkpoint: Checkpoint, values: Any, vocab_size: int) -> Tokenizer:
    try:
        tokenizer = tokenizer_from_dict(dict(values))
    except (ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{checkpoint.path} has no tokenizer that can be read: {error}") from error
    if tokenizer.vocab_size != vocab_size:
        raise CheckpointError(
            f"{checkpoint.path} has a model of {vocab_size} tokens and a tokenizer of "
            f"{tokenizer.vocab_size}: they do not belong together"
        )
    return tokenizer
