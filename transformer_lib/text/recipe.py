"""The recipe of a run on text: everything that decides what it computes."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints

from transformer_lib.checks import check_choice, check_positive, check_probability
from transformer_lib.data import TOKENIZERS, BpeTokenizer, SymbolTokenizer, Tokenizer, are_pairs
from transformer_lib.training import TrainingConfig
from transformer_lib.transformer.config import PRESETS, TransformerConfig

__all__ = ["Recipe"]

BPE_TOKENS = 8_000
FROM_TOKENIZER = ("vocab_size", "source_vocab_size", "start_token")
SETTINGS = {
    kind: {name: hint for name, hint in get_type_hints(kind).items() if name not in FROM_TOKENIZER}
    for kind in (TransformerConfig, TrainingConfig)
}
MOST_PARAMETERS = 50_000_000_000

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what a run computes.

    Attributes
    ----------
    data : str
        Name of a corpus or path of a text file; for a translator, name of a parallel corpus or path of a file
        ``*.tsv`` of pairs.
    training : TrainingConfig
        How to train.
    batch_size : int
        Windows in a batch of a language model; target tokens, at most, in a batch of a translator.
    label_smoothing : float
        The share of each target that is spread over the vocabulary.
    tokenizer : str or None
        One of ``transformer_lib.data.TOKENIZERS``; ``None`` takes what suits the corpus.
    vocab_size : int or None
        The most tokens of a ``"bpe"`` tokenizer; ``None`` for 8,000.
    bpe_dropout : float
        The probability with which a ``"bpe"`` tokenizer passes a merge over, in what a translator is trained
        on: it reads every pair in other pieces in each epoch.
    preset : str
        Shape of the model, one of :data:`~transformer_lib.transformer.config.PRESETS`.
    model : dict
        Values of :class:`~transformer_lib.transformer.config.TransformerConfig` that replace the preset's.
    skip_long : bool
        Leave out the pairs that are longer than the model's context, rather than refuse them.
    n_others : int or None
        How many words that are no targets of a batch its softmax is estimated from, by
        :func:`~transformer_lib.losses.sampled_cross_entropy`; ``None`` trains by the exact softmax.

    Raises
    ------
    ValueError
        If a value is not allowed, saying what would be right.
    """

    data: str
    training: TrainingConfig
    batch_size: int
    label_smoothing: float = 0.0
    tokenizer: str | None = None
    vocab_size: int | None = None
    bpe_dropout: float = 0.0
    preset: str = "tiny"
    model: dict[str, Any] = field(default_factory=dict)
    n_others: int | None = None
    skip_long: bool = False

    def __post_init__(self) -> None:
        if self.tokenizer is not None:
            check_choice("tokenizer", self.tokenizer, TOKENIZERS)
        if self.vocab_size is not None and self.tokenizer != "bpe":
            raise ValueError("vocab_size is for the tokenizer 'bpe': give --tokenizer bpe too")
        check_probability("label_smoothing", self.label_smoothing)
        check_probability("bpe_dropout", self.bpe_dropout)
        if self.bpe_dropout and not (self.translates and self.tokenizer == "bpe"):
            right = "give --tokenizer bpe too" if self.translates else f"{self.data!r} is a text"
            raise ValueError(f"bpe_dropout is for translators with the tokenizer 'bpe': {right}")
        if self.skip_long and not self.translates:
            raise ValueError(f"skip_long is for pairs of sentences: {self.data!r} is a text")
        if self.n_others is not None:
            check_positive(n_others=self.n_others)
            if self.label_smoothing or self.translates:
                raise ValueError("n_others is for language models without label smoothing")

    @property
    def translates(self) -> bool:
        """Whether the data are pairs of sentences, so that the model is a translator."""
        return are_pairs(self.data)

    def with_training(self, **values: Any) -> "Recipe":
        """The recipe with these values of the training replaced."""
        return replace(self, training=replace(self.training, **values))

    def with_settings(self, settings: Sequence[str]) -> "Recipe":
        """The recipe with ``key=value`` settings of the model or the training, each value read by its type.

        Raises
        ------
        ValueError
            If one is not of this form, its key is unknown, or its value is of another type or not allowed.
        """
        model_types, training_types = SETTINGS.values()
        model, training = dict(self.model), self.training.to_dict()
        for setting in settings:
            key, equals, text = setting.partition("=")
            key = key.strip().replace("-", "_")
            if not equals:
                raise ValueError(f"{setting!r} is not a setting: write KEY=VALUE, such as d_model=64")
            if key in FROM_TOKENIZER:
                raise ValueError(f"{key} cannot be set: it follows from the tokenizer")
            check_choice("setting", key, sorted(model_types | training_types))
            values, types = (model, model_types) if key in model_types else (training, training_types)
            values[key] = _read_value(key, text.strip(), types[key])
        return replace(self, model=model, training=TrainingConfig.from_dict(training))

    def suits(self, *tokenizers: Tokenizer) -> bool:
        """Whether a corpus's own tokenizers are what the recipe asks for."""
        if self.tokenizer is None:
            return True
        kind = TOKENIZERS[self.tokenizer]
        return self.vocab_size is None and all(type(tokenizer) is kind for tokenizer in tokenizers)

    def fit_tokenizer(self, documents: Iterable[str]) -> Tokenizer:
        """The tokenizer that is asked for, from training documents; words that occur once are unknown."""
        kind = TOKENIZERS[self.tokenizer or "bpe"]
        if issubclass(kind, SymbolTokenizer):
            return kind.fit(documents, unknown=True, min_count=2)
        return BpeTokenizer.fit(
            documents, vocab_size=BPE_TOKENS if self.vocab_size is None else self.vocab_size
        )

    def config(self, **from_tokenizer: int | None) -> TransformerConfig:
        """The shape of the model; the tokenizer's values take the place of the preset's.

        Raises
        ------
        ValueError
            If a value is not allowed, or no machine could hold the model.
        """
        config = TransformerConfig.preset(self.preset, **self.model | from_tokenizer)
        width = 4 * config.n_heads * config.head_width + 2 * (config.d_ff or 4 * config.d_model)
        n_parameters = config.d_model * (config.n_layers * width + config.vocab_size + config.context_length)
        if n_parameters > MOST_PARAMETERS:
            raise ValueError(
                f"a model of this shape has some {n_parameters:.0e} parameters: take a smaller d_model, "
                "n_layers, d_ff or context_length"
            )
        preset_size = PRESETS[self.preset].get("vocab_size")
        if preset_size not in (None, config.vocab_size):
            sizes = f"{config.vocab_size:,}", f"{preset_size:,}"
            log.info("the tokenizer's vocabulary of %s replaces the %s tokens of %s", *sizes, self.preset)
        return config

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold; of a text also that it is read as a ring, as in every record."""
        return asdict(self) | {"ring": True}

    def settings(self) -> dict[str, Any]:
        """:meth:`to_dict` without the seed: what the runs of a record have in common.

        No BPE dropout and no pair left out go without saying, as in records that are older than the choice.
        """
        values = self.to_dict() | {"training": self.training.for_record("seed")}
        unsaid = {"bpe_dropout": 0.0, "skip_long": False}
        return {name: value for name, value in values.items() if (name, value) not in unsaid.items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Recipe":
        """The inverse of :meth:`to_dict`."""
        own = {name: value for name, value in values.items() if (name, value) != ("ring", True)}
        return cls(**{**own, "training": TrainingConfig.from_dict(values["training"])})


def _read_value(key: str, text: str, hint: Any) -> Any:
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if NoneType in kinds and text.lower() == "none":
        return None
    if bool in kinds and text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in kinds:
        if kind in (int, float, str):
            with suppress(ValueError):
                return kind(text)
    names = {int: "a whole number", float: "a number", bool: "true or false", NoneType: "none"}
    raise ValueError(f"{key} takes {' or '.join(names[kind] for kind in kinds)}; got {text!r}")
