"""What decides a run, and how settings typed by a reader change it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints

from transformer_lib.config import PRESETS, TransformerConfig
from transformer_lib.data import BpeTokenizer, CharTokenizer, Tokenizer, WordPunctTokenizer, WordTokenizer
from transformer_lib.training import TrainingConfig
from transformer_lib.validation import check_choice

__all__ = ["TOKENIZERS", "Recipe"]

TOKENIZERS: dict[str, type[Tokenizer]] = {
    "word": WordTokenizer,
    "word-punct": WordPunctTokenizer,
    "char": CharTokenizer,
    "bpe": BpeTokenizer,
}
"""The tokenizers by name."""

BPE_TOKENS = 8_000
MODEL_TYPES = get_type_hints(TransformerConfig)
TRAINING_TYPES = get_type_hints(TrainingConfig)
FROM_TOKENIZER = ("vocab_size", "source_vocab_size", "start_token")
MOST_PARAMETERS = 50_000_000_000
MOST_IN_A_BATCH = 50_000_000


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what a run computes.

    Attributes
    ----------
    data : str
        Name of a corpus, path of a text file, or name of a parallel corpus, for a translator.
    tokenizer : str or None
        One of :data:`TOKENIZERS`; ``None`` takes what suits the corpus.
    vocab_size : int or None
        The most tokens of a ``"bpe"`` tokenizer; ``None`` for 8,000.
    preset : str
        Shape of the model, one of :data:`~transformer_lib.config.PRESETS`.
    model : dict
        Values of :class:`~transformer_lib.config.TransformerConfig` that replace the preset's.
    batch_size : int
        Windows in a batch of a language model; target tokens, at most, in one of a translator.
    label_smoothing : float
        The share of each target that is spread over the vocabulary.
    training : TrainingConfig
        How to train.
    ring : bool
        Whether :class:`~transformer_lib.data.LanguageModelBatches` reads the stream as a ring. Runs that are
        older than this choice do not, and resume without.

    Raises
    ------
    ValueError
        If a value is not allowed, saying what would be right.
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
    vocab_size: int | None = None
    label_smoothing: float = 0.0
    ring: bool = True

    def __post_init__(self) -> None:
        if self.tokenizer is not None:
            check_choice("tokenizer", self.tokenizer, TOKENIZERS)
        if self.vocab_size is not None and self.tokenizer != "bpe":
            raise ValueError(
                "vocab_size is for the tokenizer 'bpe'; of words and characters all that occur are tokens"
            )
        if not 0 <= self.label_smoothing < 1:
            raise ValueError(f"label_smoothing must be at least 0 and below 1; got {self.label_smoothing}")

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
            check_choice("setting", key, sorted((MODEL_TYPES.keys() | TRAINING_TYPES) - set(FROM_TOKENIZER)))
            if key in MODEL_TYPES:
                model[key] = _read_value(key, text.strip(), MODEL_TYPES[key])
            else:
                training[key] = _read_value(key, text.strip(), TRAINING_TYPES[key])
        return replace(self, model=model, training=TrainingConfig.from_dict(training))

    def suits(self, *tokenizers: Tokenizer) -> bool:
        """Whether a corpus's own tokenizers are what the recipe asks for."""
        if self.tokenizer is None:
            return True
        kind = TOKENIZERS[self.tokenizer]
        return self.vocab_size is None and all(type(tokenizer) is kind for tokenizer in tokenizers)

    def fit_tokenizer(self, documents: Iterable[str]) -> Tokenizer:
        """The tokenizer that is asked for, from the training part; words that occur once are unknown."""
        if self.tokenizer == "bpe":
            return BpeTokenizer.fit(documents, vocab_size=self.vocab_size or BPE_TOKENS)
        return TOKENIZERS[self.tokenizer].fit(documents, unknown=True, min_count=2)

    def config(self, **from_tokenizer: int | None) -> TransformerConfig:
        """The shape of the model, with the tokenizer's values, which have the last word.

        Raises
        ------
        ValueError
            If a value is not allowed, or the model or a batch could not be held by any machine.
        """
        config = TransformerConfig.preset(self.preset, **self.model | from_tokenizer)
        d_ff = config.d_ff or 4 * config.d_model
        width = 4 * config.n_heads * config.head_width + 2 * d_ff
        tables = config.vocab_size + config.context_length
        n_parameters = config.d_model * (config.n_layers * width + tables)
        if n_parameters > MOST_PARAMETERS:
            raise ValueError(
                f"a model of this shape has some {n_parameters:.0e} parameters: take a smaller d_model, "
                "n_layers, d_ff or context_length"
            )
        return config

    def preset_vocab_size(self) -> int | None:
        """The vocabulary that the preset was made for, if it says so; the tokenizer's takes its place."""
        return PRESETS[self.preset].get("vocab_size")

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Recipe":
        """The inverse of :meth:`to_dict`; a recipe older than ``ring`` lacks it, and means ``False``."""
        training = TrainingConfig.from_dict(values["training"])
        return cls(**{"ring": False, **values, "training": training})


def check_batch(what: str, size: int) -> None:
    """Refuse a batch that would take the whole memory before its first step ends."""
    if size > MOST_IN_A_BATCH:
        raise ValueError(f"a batch of {size:,} {what} is too large: take a smaller batch_size")


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
