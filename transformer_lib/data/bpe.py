"""Byte-pair encoding: frequent pieces of words are tokens, and any text at all can be written in them.

Text is taken as its UTF-8 bytes. Fitting starts from the 256 bytes and again and again makes a new token of
the pair of neighbors that is most frequent; pairs never reach across a word's end. Encoding replays these
merges. The work is done by the `tokenizers` library, but for BPE dropout, which it cannot repeat by a seed.

Source: Sennrich, Haddow and Birch (2016); on bytes, Radford et al. (2019).
"""

import json
import random
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import Any

from transformer_lib.checks import check_probability, check_whole
from transformer_lib.data.tokenizers import END, Tokenizer, check_documents

N_BYTES = 256
FIRST = 1 + N_BYTES
MOST = 2**31 - 1


class BpeTokenizer(Tokenizer):
    """Byte-level BPE: ``decode(encode(text)) == text`` for every text.

    Id 0 is ``<eos>``, then come the 256 bytes, then the merges in the order in which they were learned. The
    characters ``<eos>`` in a text are text, not the end token.

    Parameters
    ----------
    merges
        The pairs of pieces that are joined, most urgent first. Pieces are written in the alphabet of 256
        printable characters that `tokenizers` uses for the bytes: ``Ġ`` is a space.

    Raises
    ------
    ValueError
        If a merge joins a piece that no byte and no earlier merge makes.
    ModuleNotFoundError
        If the package `tokenizers` is not installed.
    """

    kind = "bpe"

    def __init__(self, merges: Sequence[tuple[str, str]]) -> None:
        from tokenizers import models

        self.merges = tuple((left, right) for left, right in merges)
        pieces = {byte: number for number, byte in enumerate(_alphabet())}
        self._pieces = pieces
        self._urgency = {merge: place for place, merge in enumerate(self.merges)}
        for left, right in self.merges:
            if left not in pieces or right not in pieces:
                raise ValueError(
                    f"the merge of {left!r} and {right!r} comes before both pieces exist: list the merges in "
                    "the order in which they were learned"
                )
            pieces.setdefault(left + right, len(pieces))
        self._vocab_size = 1 + len(pieces)
        self._library = _library_tokenizer(models.BPE(pieces, list(self.merges)))

    @classmethod
    def fit(cls, documents: Iterable[str], *, vocab_size: int) -> "BpeTokenizer":
        """A tokenizer of at most `vocab_size` ids: fewer if no pair is left that occurs twice.

        Parameters
        ----------
        documents
            The training part alone. A vocabulary for two languages together comes from the documents of both.
        vocab_size
            At least 257: the end token and the bytes.

        Raises
        ------
        ValueError
            If `vocab_size` is too small, or a document cannot be written in UTF-8.
        ModuleNotFoundError
            If the package `tokenizers` is not installed.
        """
        from tokenizers import models, trainers

        check_documents(documents)
        if vocab_size < FIRST:
            raise ValueError(f"vocab_size={vocab_size} leaves no place for the bytes: give {FIRST} or more")
        check_whole("vocab_size", vocab_size, FIRST, MOST)
        library = _library_tokenizer(models.BPE())
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size - 1,
            min_frequency=2,
            initial_alphabet=_alphabet(),
            show_progress=False,
        )
        library.train_from_iterator((_checked(document) for document in documents), trainer)
        return cls([(left, right) for left, right in json.loads(library.to_str())["model"]["merges"]])

    @property
    def vocab_size(self) -> int:
        """How many token ids there are: the end token, the bytes and what merges make."""
        return self._vocab_size

    def encode(self, text: str) -> list[int]:
        """The ids of the pieces of `text`; no ``<eos>`` is added.

        Raises
        ------
        ValueError
            If `text` cannot be written in UTF-8, having half of a surrogate pair.
        """
        return [1 + number for number in self._library.encode(_checked(text)).ids]

    def encode_with_dropout(self, text: str, rate: float, generator: random.Random) -> list[int]:
        """The ids of pieces of `text`, some of which are smaller than those of `encode`.

        Wherever a merge could be applied, it is passed over with probability `rate`, anew after each merge.
        At rate 0, these are the ids of `encode`. `decode` gives the text back whatever was passed over.

        Raises
        ------
        ValueError
            If the rate is not in [0, 1), or as `encode`.

        Source: Provilkov, Emelianenko and Voita (2020)
        """
        check_probability("rate", rate)
        words = self._library.pre_tokenizer.pre_tokenize_str(_checked(text))
        return [1 + self._pieces[piece] for word, _ in words for piece in self._merged(word, rate, generator)]

    def _merged(self, word: str, rate: float, generator: random.Random) -> list[str]:
        pieces = list(word)
        while True:
            possible = (
                (self._urgency[pair], place)
                for place, pair in enumerate(pairwise(pieces))
                if pair in self._urgency and generator.random() >= rate
            )
            _, place = min(possible, default=(0, None))
            if place is None:
                return pieces
            pieces[place : place + 2] = [pieces[place] + pieces[place + 1]]

    def decode(self, tokens: Iterable[int]) -> str:
        """The text of `tokens`, the inverse of `encode`; the end token is written ``<eos>``.

        Bytes that are no UTF-8, as a model may put them together, become ``U+FFFD``.

        Raises
        ------
        ValueError
            If an id is outside the vocabulary.
        """
        runs = groupby(self._checked_ids(tokens), key=bool)
        return "".join(
            self._library.decode([token - 1 for token in run]) if is_text else END * len(list(run))
            for is_text, run in runs
        )

    def to_dict(self) -> dict[str, Any]:
        """The kind and the merges."""
        return {"kind": self.kind, "merges": [list(merge) for merge in self.merges]}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "BpeTokenizer":
        """The tokenizer whose `to_dict` gave `data`."""
        cls._check_kind(data)
        return cls([(left, right) for left, right in data["merges"]])

    def __repr__(self) -> str:
        return f"BpeTokenizer(vocab_size={self.vocab_size})"


def _alphabet() -> list[str]:
    """The printable characters that stand for the 256 bytes, in the library's order."""
    from tokenizers import pre_tokenizers

    return sorted(pre_tokenizers.ByteLevel.alphabet())


def _library_tokenizer(model: Any) -> Any:
    from tokenizers import Tokenizer as LibraryTokenizer
    from tokenizers import decoders, pre_tokenizers

    library = LibraryTokenizer(model)
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    return library


def _checked(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"character {error.start} of the text is half of a surrogate pair ({text[error.start]!r}), which "
            "UTF-8 cannot write: remove it, or read the text with its right encoding"
        ) from None
    return text
