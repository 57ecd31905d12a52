"""Translating texts with a trained model: greedily, or by beam search."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.autoregressive import ConditionalModel, device_of
from transformer_lib.beam import beam_search, length_penalty_factor
from transformer_lib.data import SymbolTokenizer, Tokenizer
from transformer_lib.decoding import evaluation_mode, generate
from transformer_lib.validation import check_positive

__all__ = ["Translator"]

TEXTS_AT_ONCE = 32
MOST_BEAMS = 1_000


@dataclass(frozen=True)
class Translator:
    """A model with the tokenizers of its two languages.

    Attributes
    ----------
    model : ConditionalModel
        Predicts the target tokens, and the end token behind them.
    source_tokenizer, target_tokenizer : Tokenizer
        One and the same where the languages share their vocabulary.
    """

    model: ConditionalModel
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer

    @property
    def context_length(self) -> int | None:
        """The most tokens of a source, and of a target with its end; ``None`` if any number will do."""
        return getattr(self.model.config, "context_length", None)

    def unknown(self, text: str) -> list[str]:
        """The symbols of ``text`` that the model will read as ``<unk>``, each once."""
        tokenizer = self.source_tokenizer
        if not isinstance(tokenizer, SymbolTokenizer):
            return []
        return [symbol for symbol in dict.fromkeys(tokenizer.split(text)) if symbol not in tokenizer.symbols]

    def encode(self, text: str) -> list[int]:
        """The source tokens of ``text``.

        Raises
        ------
        ValueError
            If there are more than the model reads, or one that has no token.
        """
        tokens = self.source_tokenizer.encode(text)
        if self.context_length is not None and len(tokens) > self.context_length:
            raise ValueError(
                f"a text of {len(tokens)} tokens is longer than the model's context_length of "
                f"{self.context_length}: {text[:40]!r}..."
            )
        return tokens

    @torch.no_grad()
    def translate(
        self,
        texts: Sequence[str],
        *,
        n_beams: int = 1,
        length_penalty: float = 0.0,
        on_batch: Callable[[int], object] = lambda n: None,
    ) -> list[str]:
        """The translation of each text, on one line; an empty text has an empty one.

        Texts of like lengths are translated together. A translation that does not end is cut: after
        ``context_length`` tokens, or 50 and four times as many as the longest of these texts has.

        Parameters
        ----------
        n_beams
            The hypotheses of the beam search; 1 is greedy, without any search.
        length_penalty
            Of the beam search.
        on_batch
            Told, after each batch, how many texts were in it.

        Raises
        ------
        ValueError
            If a text is too long or cannot be read, or as :func:`~transformer_lib.beam.beam_search`.

        Source: K. Stratos, 2 (4 beams, length penalty)
        """
        check_positive(n_beams=n_beams)
        if n_beams > MOST_BEAMS:
            raise ValueError(f"n_beams must be at most {MOST_BEAMS:,}; got {n_beams:,}")
        length_penalty_factor(4 * (self.context_length or 0) + 50, length_penalty)
        sources = [self.encode(text) for text in texts]
        order = sorted((i for i, source in enumerate(sources) if source), key=lambda i: len(sources[i]))
        translations = [""] * len(texts)
        with evaluation_mode(self.model):
            on_batch(len(texts) - len(order))
            for start in range(0, len(order), TEXTS_AT_ONCE):
                rows = order[start : start + TEXTS_AT_ONCE]
                found = self._translate([sources[i] for i in rows], n_beams, length_penalty)
                for i, tokens in zip(rows, found.tolist(), strict=True):
                    translations[i] = self._text(tokens)
                on_batch(len(rows))
        return translations

    def _translate(
        self, sources: Sequence[Sequence[int]], n_beams: int, length_penalty: float
    ) -> Int[Tensor, "batch time"]:
        device, end = device_of(self.model), self.target_tokenizer.end_token
        lengths = torch.tensor([len(source) for source in sources])
        padded = torch.nn.utils.rnn.pad_sequence([torch.tensor(source) for source in sources], True)
        conditioned = self.model.condition(padded.to(device), lengths.to(device))
        n_tokens = 4 * padded.shape[1] + 50
        if self.context_length is not None:
            n_tokens = min(n_tokens, self.context_length)
        if n_beams == 1:
            nothing = torch.empty(len(sources), 0, dtype=torch.long, device=device)
            return generate(conditioned, nothing, n_tokens, temperature=0.0, stop_token=end)
        found = beam_search(
            conditioned,
            n_tokens,
            end_token=end,
            batch_size=len(sources),
            n_beams=n_beams,
            length_penalty=length_penalty,
        )
        return found.sequences[:, 0]

    def _text(self, tokens: Iterable[int]) -> str:
        tokens = list(tokens)
        end = self.target_tokenizer.end_token
        whole = tokens[: tokens.index(end)] if end in tokens else tokens
        return " ".join(self.target_tokenizer.decode(whole).splitlines())
