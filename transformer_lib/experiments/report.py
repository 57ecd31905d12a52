"""What came out of a run, as a table."""

import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformer_lib.data import Corpus, ParallelCorpus, Tokenizer
from transformer_lib.encoder_decoder import EncoderDecoder
from transformer_lib.experiments.scores import TranslationScore
from transformer_lib.experiments.translator import Translator
from transformer_lib.metrics import perplexity
from transformer_lib.training import TrainingResult
from transformer_lib.transformer import DecoderLM

__all__ = ["Report", "TranslationReport"]

N_SHOWN = 4

ROWS = {
    "valid": "Transformer, validation",
    "test": "Transformer, test",
    "kneser_ney": "best Kneser-Ney (n = {order}), test",
    "source": "the source itself, test",
    "entropy_rate": "entropy rate of the source",
}


@dataclass(frozen=True)
class Report:
    """What came out of a run of the language model.

    Attributes
    ----------
    corpus, tokenizer, model, training
        What was used, and how the training went.
    tokens : dict of int
        Of the ``train``, ``valid`` and ``test`` parts.
    losses : dict of float
        Nats a token by row of the table: the model on ``valid`` and ``test``, ``kneser_ney`` on ``test``,
        and, where the source is known, ``source`` on ``test`` and its ``entropy_rate``.
    kneser_ney_order : int
        The order that does best on the validation part.
    sample : str
        A text from the model.
    record : Path
        The run's record.
    """

    corpus: Corpus
    tokenizer: Tokenizer
    model: DecoderLM
    training: TrainingResult
    tokens: dict[str, int]
    losses: dict[str, float]
    kneser_ney_order: int
    sample: str
    record: Path

    @property
    def distance(self) -> float | None:
        """How many nats a token the model is from the source, on the test part; ``None`` if unknown."""
        source = self.losses.get("source", self.losses.get("entropy_rate"))
        return None if source is None else self.losses["test"] - source

    def __str__(self) -> str:
        rows = [("", "nats/token", "perplexity")]
        rows += [
            (
                name.format(order=self.kneser_ney_order),
                f"{self.losses[key]:.4f}",
                f"{perplexity(self.losses[key]):.3f}",
            )
            for key, name in ROWS.items()
            if key in self.losses
        ]
        if self.distance is not None:
            rows.append(("distance to the source, test", f"{self.distance:.4f}", ""))
        table = [f"  {name:<36}{nats:>12}{ppl:>12}".rstrip() for name, nats, ppl in rows]
        return "\n".join(
            [
                f"{self.corpus.name}: {self.corpus.description}",
                f"  {self.tokenizer.vocab_size:,} different tokens ({self.tokenizer.kind}s); "
                + ", ".join(f"{part} {count:,}" for part, count in self.tokens.items()),
                *_training_lines(self.model, self.training),
                "",
                *table,
                "",
                "A text from the model:",
                textwrap.indent(self.sample, "  ") if "\n" in self.sample else _wrapped(self.sample),
                "",
                f"Record: {self.record}",
            ]
        )


@dataclass(frozen=True)
class TranslationReport:
    """What came out of a run of a translator.

    Attributes
    ----------
    corpus, translator, training
        What was used, and how the training went.
    sizes : dict of int
        Pairs in the ``train``, ``valid`` and ``test`` parts.
    score : TranslationScore
        On the first pairs of the test part.
    record : Path
        The run's record.
    """

    corpus: ParallelCorpus
    translator: Translator
    training: TrainingResult
    sizes: dict[str, int]
    score: TranslationScore
    record: Path

    def examples(self) -> list[dict[str, str]]:
        """A few sources with their references and translations."""
        shown = zip(self.corpus.test[:N_SHOWN], self.score.translations)
        return [
            {"source": source, "reference": reference, "translation": translation}
            for (source, reference), translation in shown
        ]

    def result(self) -> dict[str, Any]:
        """What a record holds of it."""
        score = self.score
        return {
            "test_pairs": score.pairs,
            "nats_per_token": {"valid": self.training.best.validation_loss, "test": score.nats_per_token},
            "exact_match": score.exact_match,
            "bleu": score.bleu,
            "bleu_signature": score.signature,
            "n_beams": score.n_beams,
            "length_penalty": score.length_penalty,
            "examples": self.examples(),
        }

    def __str__(self) -> str:
        source, target = self.translator.source_tokenizer, self.translator.target_tokenizer
        shared = " shared" if source is target else ""
        examples = [f"  {name:<13}{text}" for example in self.examples() for name, text in example.items()]
        return "\n".join(
            [
                f"{self.corpus.name}: {self.corpus.description}",
                f"  {source.vocab_size:,} to {target.vocab_size:,}{shared} tokens "
                f"({source.kind} to {target.kind}); "
                + ", ".join(f"{part} {count:,}" for part, count in self.sizes.items())
                + " pairs",
                *_training_lines(self.translator.model, self.training),
                "",
                str(self.score),
                "",
                "Translations by beam search:",
                *examples,
                "",
                f"Record: {self.record}",
            ]
        )


def _training_lines(model: DecoderLM | EncoderDecoder, training: TrainingResult) -> list[str]:
    config, stopped = model.config, ", stopped early" if training.stopped_early else ""
    return [
        f"{type(model).__name__}: {model.n_parameters():,} parameters "
        f"(n_layers {config.n_layers}, d_model {config.d_model}, n_heads {config.n_heads}, "
        f"context_length {config.context_length})",
        f"  {training.steps:,} steps{stopped}, {training.tokens:,} tokens in "
        f"{training.seconds / 60:.1f} minutes on {training.device.type}, "
        f"{training.tokens_per_second:,.0f} tokens/s; best after step {training.best.step:,}",
    ]


def _wrapped(text: str) -> str:
    return textwrap.fill(text, width=88, initial_indent="  ", subsequent_indent="  ")
