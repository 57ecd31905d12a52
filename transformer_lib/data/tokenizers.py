"""Between text and token ids: words or characters, with a vocabulary from the training documents alone.

Id 0 is the end of a document, ``<eos>``; it also starts every sequence. A tokenizer fitted with
``unknown=True`` has id 1 for ``<unk>``, which stands for every symbol that it does not know. Pieces of words
that are learned from the text are in `transformer_lib.data.bpe`.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Int64

END = "<eos>"
UNKNOWN = "<unk>"


class Tokenizer(ABC):
    """What every tokenizer can do, whatever it takes for a token."""

    kind: str

    @property
    @abstractmethod
    def vocab_size(self) -> int:
        """How many token ids there are, the special ones included."""

    @property
    def end_token(self) -> int:
        """The id of ``<eos>``: 0. It ends every document, and starts every sequence."""
        return 0

    @abstractmethod
    def encode(self, text: str) -> list[int]:
        """The ids of `text`; no ``<eos>`` is added."""

    @abstractmethod
    def decode(self, tokens: Iterable[int]) -> str:
        """The text of `tokens`, the inverse of `encode`; special tokens are written by their names.

        Raises
        ------
        ValueError
            If an id is outside the vocabulary.
        """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything about the tokenizer, as JSON can hold it; `tokenizer_from_dict` reads it back."""

    @classmethod
    @abstractmethod
    def from_dict(cls, data: dict[str, Any]) -> "Tokenizer":
        """The tokenizer whose `to_dict` gave `data`."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tokenizer) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.kind, self.vocab_size))

    @classmethod
    def _check_kind(cls, data: dict[str, Any]) -> None:
        if data.get("kind") != cls.kind:
            raise ValueError(f"this describes a tokenizer of kind {data.get('kind')!r}, not {cls.kind!r}")

    def _checked_ids(self, tokens: Iterable[int]) -> list[int]:
        ids = [int(token) for token in tokens]
        for token in (min(ids, default=0), max(ids, default=0)):
            if not 0 <= token < self.vocab_size:
                raise ValueError(f"there is no token {token}: ids go from 0 to {self.vocab_size - 1}")
        return ids


class SymbolTokenizer(Tokenizer):
    """A numbered list of symbols, and how text falls into them.

    Parameters
    ----------
    symbols
        The ordinary symbols; they are numbered in this order, after the special ones.
    unknown
        Whether ``<unk>`` (id 1) takes the place of symbols that are not in the list.

    Raises
    ------
    ValueError
        If there are no symbols, or if one is repeated, not a symbol of this kind, or reserved.
    """

    symbol_name: str

    def __init__(self, symbols: Sequence[str], *, unknown: bool = False) -> None:
        if not symbols:
            raise ValueError(f"a {self.kind} tokenizer needs at least one {self.symbol_name}")
        self.specials = (END, UNKNOWN) if unknown else (END,)
        self.symbols = tuple(symbols)
        for symbol, count in Counter(self.symbols).items():
            if count > 1:
                raise ValueError(f"the {self.symbol_name} {symbol!r} is listed {count} times: list it once")
            if symbol in (END, UNKNOWN) or self.split(symbol) != [symbol]:
                raise ValueError(
                    f"{symbol!r} cannot be a {self.symbol_name}: it is reserved, or not one symbol"
                )
        self._names = self.specials + self.symbols
        self._ids = {symbol: i for i, symbol in enumerate(self.symbols, start=len(self.specials))}

    @classmethod
    def fit(cls, documents: Iterable[str], *, unknown: bool = False, min_count: int = 1) -> "SymbolTokenizer":
        """A tokenizer for the symbols of `documents`, in sorted order.

        Parameters
        ----------
        documents
            The training part; symbols that occur only elsewhere must not be known to a model.
        unknown
            Reserve ``<unk>`` for symbols that are not in the vocabulary.
        min_count
            How often a symbol must occur to enter the vocabulary. More than 1 needs `unknown`.
        """
        check_documents(documents)
        if min_count > 1 and not unknown:
            raise ValueError(
                f"min_count={min_count} leaves symbols out: set unknown=True to give them a place"
            )
        counts = Counter[str]()
        for document in documents:
            counts.update(cls.split(document))
        if unknown:
            del counts[UNKNOWN]
        return cls(sorted(s for s, count in counts.items() if count >= min_count), unknown=unknown)

    @staticmethod
    @abstractmethod
    def split(text: str) -> list[str]:
        """The symbols of `text`, in order."""

    @staticmethod
    @abstractmethod
    def join(symbols: Iterable[str]) -> str:
        """The text of `symbols`."""

    @property
    def vocab_size(self) -> int:
        """How many token ids there are: the special ones and the symbols."""
        return len(self._names)

    def encode(self, text: str) -> list[int]:
        """The ids of the symbols of `text`; no ``<eos>`` is added.

        Raises
        ------
        ValueError
            If a symbol is not in the vocabulary and the tokenizer has no ``<unk>``.
        """
        symbols = self.split(text)
        if UNKNOWN in self.specials:
            return [self._ids.get(symbol, 1) for symbol in symbols]
        try:
            return [self._ids[symbol] for symbol in symbols]
        except KeyError as error:
            symbol = error.args[0]
            raise ValueError(
                f"the {self.symbol_name} {symbol!r}, number {symbols.index(symbol) + 1} of the text, is not "
                f"in the vocabulary of {len(self.symbols)}: leave it out, or fit with unknown=True"
            ) from None

    def decode(self, tokens: Iterable[int]) -> str:
        """The text of `tokens`, the inverse of `encode`; special tokens are written by their names."""
        return self.join(self._names[i] for i in self._checked_ids(tokens))

    def to_dict(self) -> dict[str, Any]:
        """The kind, the symbols, and whether there is ``<unk>``."""
        return {"kind": self.kind, "unknown": UNKNOWN in self.specials, "symbols": list(self.symbols)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "SymbolTokenizer":
        """The tokenizer whose `to_dict` gave `data`."""
        cls._check_kind(data)
        return cls(data["symbols"], unknown=data["unknown"])

    def __repr__(self) -> str:
        return f"{type(self).__name__}(vocab_size={self.vocab_size}, unknown={UNKNOWN in self.specials})"


class WordTokenizer(SymbolTokenizer):
    """Words are what white space separates; `decode` puts one space between them.

    ``decode(encode(text)) == text`` for text whose words are separated by single spaces, as in the tales.
    """

    kind = "word"
    symbol_name = "word"

    @staticmethod
    def split(text: str) -> list[str]:
        """The words of `text`."""
        return text.split()

    @staticmethod
    def join(symbols: Iterable[str]) -> str:
        """The words with a space between each two."""
        return " ".join(symbols)


class CharTokenizer(SymbolTokenizer):
    """Every character is a symbol: ``decode(encode(text)) == text`` for all text of known characters."""

    kind = "character"
    symbol_name = "character"

    @staticmethod
    def split(text: str) -> list[str]:
        """The characters of `text`."""
        return list(text)

    @staticmethod
    def join(symbols: Iterable[str]) -> str:
        """The characters one after another."""
        return "".join(symbols)


class WordPunctTokenizer(SymbolTokenizer):
    """Words are runs of letters and digits, and every other character but white space is a symbol of its own.

    *twenty-one thousand, two* falls into *twenty*, *-*, *one*, *thousand*, *,* and *two*. `decode` puts one
    space between symbols, but none around a hyphen and none before a comma or a mark that ends a sentence:
    ``decode(encode(text)) == text`` for text that is written so.
    """

    kind = "word-punct"
    symbol_name = "word or mark"

    @staticmethod
    def split(text: str) -> list[str]:
        """The words and marks of `text`."""
        return re.findall(r"\w+|[^\w\s]", text)

    @staticmethod
    def join(symbols: Iterable[str]) -> str:
        """The text of these words and marks."""
        return re.sub(r" (?=[-,.;:?!])|(?<=-) ", "", " ".join(symbols))


def unknown_symbols(tokenizer: Tokenizer, text: str) -> list[str]:
    """The symbols of `text` that `tokenizer` reads as unknown, each once."""
    if not isinstance(tokenizer, SymbolTokenizer) or UNKNOWN not in tokenizer.specials:
        return []
    return [symbol for symbol in dict.fromkeys(tokenizer.split(text)) if symbol not in tokenizer._ids]


def count_unknown(tokenizer: Tokenizer, tokens: Int64[np.ndarray, " tokens"]) -> int:
    """How many of `tokens` are ``<unk>``, which not every tokenizer has."""
    if not isinstance(tokenizer, SymbolTokenizer) or UNKNOWN not in tokenizer.specials:
        return 0
    return int((tokens == tokenizer.specials.index(UNKNOWN)).sum())


def check_documents(documents: Iterable[str]) -> None:
    """Refuse a single text in place of several: it would be read as one document for each letter."""
    if isinstance(documents, str):
        raise TypeError(f"documents must be several texts, such as [text], not one: {documents[:20]!r}")


def token_stream(documents: Iterable[str], tokenizer: Tokenizer) -> Int64[np.ndarray, " tokens"]:
    """All documents as one array of ids, each document followed by the end token."""
    check_documents(documents)
    ids: list[int] = []
    for document in documents:
        ids += tokenizer.encode(document)
        ids.append(tokenizer.end_token)
    return np.array(ids, dtype=np.int64)
