"""What decides a run of the language model, and how settings typed by a reader change it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints

from transformer_lib.config import TransformerConfig
from transformer_lib.training import TrainingConfig

__all__ = ["Recipe"]

MODEL_TYPES = get_type_hints(TransformerConfig)
TRAINING_TYPES = get_type_hints(TrainingConfig)
FROM_TOKENIZER = ("vocab_size", "start_token")


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what a run computes.

    Attributes
    ----------
    data : str
        Name of an embedded corpus or path of a text file.
    tokenizer : str or None
        ``"word"`` or ``"char"``; ``None`` takes the one that suits the corpus.
    preset : str
        Shape of the model, one of :data:`~transformer_lib.config.PRESETS`.
    model : dict
        Values of :class:`~transformer_lib.config.TransformerConfig` that replace the preset's.
    batch_size : int
        Windows in a batch.
    training : TrainingConfig
        How to train.
    """

    data: str = "tales"
    tokenizer: str | None = None
    preset: str = "tiny"
    model: dict[str, Any] = field(default_factory=dict)
    batch_size: int = 8
    training: TrainingConfig = field(
        default_factory=lambda: TrainingConfig(
            steps=2400, learning_rate=3e-3, warmup_steps=100, evaluate_every=300
        )
    )

    def with_settings(self, settings: Sequence[str]) -> "Recipe":
        """The recipe with ``key=value`` settings of the model or the training, each value read by its type.

        Raises
        ------
        ValueError
            If one is not of this form, its key is unknown, or its value is of another type or not allowed.
        """
        model, training = dict(self.model), self.training.to_dict()
        for setting in settings:
            key, equals, text = setting.partition("=")
            key = key.strip().replace("-", "_")
            if not equals:
                raise ValueError(f"{setting!r} is not a setting: write KEY=VALUE, such as d_model=64")
            if key in FROM_TOKENIZER:
                raise ValueError(f"{key} cannot be set: it follows from the tokenizer")
            if key in MODEL_TYPES:
                model[key] = _read_value(key, text.strip(), MODEL_TYPES[key])
            elif key in TRAINING_TYPES:
                training[key] = _read_value(key, text.strip(), TRAINING_TYPES[key])
            else:
                raise ValueError(_unknown_setting(key))
        return replace(self, model=model, training=TrainingConfig.from_dict(training))

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Recipe":
        """The inverse of :meth:`to_dict`."""
        return cls(**{**values, "training": TrainingConfig.from_dict(values["training"])})


def _read_value(key: str, text: str, hint: Any) -> Any:
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if NoneType in kinds and text.lower() == "none":
        return None
    if bool in kinds and text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in kinds:
        if kind in (int, float, str):
            try:
                return kind(text)
            except ValueError:
                continue
    names = {int: "a whole number", float: "a number", bool: "true or false", NoneType: "none"}
    raise ValueError(f"{key} takes {' or '.join(names[kind] for kind in kinds)}; got {text!r}")


def _unknown_setting(key: str) -> str:
    known = sorted((MODEL_TYPES.keys() | TRAINING_TYPES.keys()) - set(FROM_TOKENIZER))
    close = get_close_matches(key, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else f"; there is {', '.join(known)}"
    return f"there is no setting {key!r}{hint}"
