"""What came out of a run of the language model, as a table."""

import textwrap
from dataclasses import dataclass
from pathlib import Path

from transformer_lib.data import Corpus, Tokenizer
from transformer_lib.metrics import perplexity
from transformer_lib.training import TrainingResult
from transformer_lib.transformer import DecoderLM

__all__ = ["Report"]

ROWS = {
    "valid": "Transformer, validation",
    "test": "Transformer, test",
    "kneser_ney": "best Kneser-Ney (n = {order}), test",
    "source": "the source itself, test",
    "entropy_rate": "entropy rate of the source",
}


@dataclass(frozen=True)
class Report:
    """What came out of a run.

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
        config, training = self.model.config, self.training
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
        stopped = ", stopped early" if training.stopped_early else ""
        return "\n".join(
            [
                f"{self.corpus.name}: {self.corpus.description}",
                f"  {self.tokenizer.vocab_size:,} different tokens ({self.tokenizer.kind}s); "
                + ", ".join(f"{part} {count:,}" for part, count in self.tokens.items()),
                f"{type(self.model).__name__}: {self.model.n_parameters():,} parameters "
                f"(n_layers {config.n_layers}, d_model {config.d_model}, n_heads {config.n_heads}, "
                f"context_length {config.context_length})",
                f"  {training.steps:,} steps{stopped}, {training.tokens:,} tokens in "
                f"{training.seconds / 60:.1f} minutes on {training.device.type}, "
                f"{training.tokens_per_second:,.0f} tokens/s; best after step {training.best.step:,}",
                "",
                *table,
                "",
                "A text from the model:",
                textwrap.indent(self.sample, "  ") if "\n" in self.sample else _wrapped(self.sample),
                "",
                f"Record: {self.record}",
            ]
        )


def _wrapped(text: str) -> str:
    return textwrap.fill(text, width=88, initial_indent="  ", subsequent_indent="  ")
