"""A text corpus: documents split into train, valid and test, with the tokenizer that suits them.

Chapters and commands take any corpus through this one shape, whether it was drawn from a grammar (`tales`),
read out of NumPy (`docstrings`) or out of a reader's own file (`read_text_corpus`).
"""

import hashlib
import json
import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from transformer_lib.data.tokenizers import CharTokenizer, Tokenizer

SHORTEST_TEXT = 1000
PIECES = 20
BYTE_ORDER_MARK = "\ufeff"

T = TypeVar("T")


@dataclass(frozen=True)
class Corpus:
    """Documents in three parts.

    Attributes
    ----------
    name, description
        What the corpus is called and, in a sentence, what it is.
    train, valid, test
        The documents of each part.
    tokenizer
        The tokenizer that suits the text. It knows every symbol that `train` contains.
    entropy_rate
        Nats per token of the source, the end token counted, where it is known exactly; else None. No model
        has a lower expected loss.
    """

    name: str
    train: Sequence[str]
    valid: Sequence[str]
    test: Sequence[str]
    tokenizer: Tokenizer
    description: str
    entropy_rate: float | None = None

    @cached_property
    def sha256(self) -> str:
        """SHA-256, in hexadecimal, of the text as it is split into documents and parts."""
        return sha256_of(self.train, self.valid, self.test)


def sha256_of(*parts: Sequence[str | tuple[str, str]]) -> str:
    """SHA-256, in hexadecimal, of the parts of a corpus as JSON."""
    return hashlib.sha256(json.dumps([list(part) for part in parts]).encode("utf-8")).hexdigest()


def shuffled(items: Iterable[T], draw: Callable[[], float]) -> list[T]:
    """The items in an order drawn uniformly; `draw` gives numbers from 0 to 1, as `random.random` does."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = int(draw() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order


def permutation(n: int, seed: int) -> list[int]:
    """The numbers 0 to n - 1 in an order drawn uniformly by `seed`: the same on every platform and Python."""
    return shuffled(range(n), random.Random(seed).random)


def read_text_corpus(path: str | Path) -> Corpus:
    """Read a plain text file as a corpus of characters.

    The first 90 % of the characters are for training, the next 5 % for validation, the last 5 % for the
    test; each part is one document. A character that occurs only in the last tenth becomes ``<unk>``.

    Parameters
    ----------
    path
        A UTF-8 text file of at least 1,000 characters, which :func:`clean_text` prepares.

    Raises
    ------
    ValueError
        If the file is missing, is a directory, cannot be read, is not UTF-8 text, or is too short.
    """
    path = Path(path)
    text = read_text(path)
    if not text.strip():
        raise ValueError(f"{path} is empty: give a text file of at least {SHORTEST_TEXT:,} characters")
    if len(text) < SHORTEST_TEXT:
        raise ValueError(f"{path} has {len(text):,} characters: at least {SHORTEST_TEXT:,} are needed")
    train, valid, test = split_text(text)
    return Corpus(
        name=path.name,
        train=train,
        valid=valid,
        test=test,
        tokenizer=CharTokenizer.fit(train, unknown=True),
        description=f"the text of {path.name}",
    )


def read_text(path: Path) -> str:
    """The UTF-8 text of a file, as :func:`clean_text` prepares it.

    Raises
    ------
    ValueError
        If the file is missing, is a directory, cannot be read, or is not UTF-8 text.
    """
    if path.is_dir():
        raise ValueError(f"{path} is a directory: give the path of one UTF-8 text file")
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise ValueError(f"{path} does not exist: give the path of a UTF-8 text file") from None
    except OSError as error:
        raise ValueError(
            f"{path} cannot be read ({error.strerror}): give a readable UTF-8 text file"
        ) from error
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not UTF-8 text (byte {error.start} is {error.object[error.start]:#04x}): "
            "convert it to UTF-8, or give another file"
        ) from error
    if "\0" in text:
        raise ValueError(f"{path} contains zero bytes, so it is not plain text: give a UTF-8 text file")
    return clean_text(text)


def clean_text(text: str) -> str:
    """The text as a model learns and reads it, wherever it comes from: a file, an argument, a line of input.

    Byte order marks are dropped and line ends become newlines: those of Windows, also written twice, and a
    lone carriage return if there is no other line end; else it stands within a line, where it is a space.
    Letters with accents are composed (Unicode's form NFC), since ``é`` as one character and as two looks the
    same.

    Raises
    ------
    ValueError
        If there are halves of characters, as Python reads bytes that are not UTF-8.
    """
    if (half := re.search("[\ud800-\udfff]", text)) is not None:
        raise ValueError(f"the text is not UTF-8 (character {half.start() + 1}): convert it")
    text = re.sub("\r+\n", "\n", text.replace(BYTE_ORDER_MARK, ""))
    return unicodedata.normalize("NFC", text.replace("\r", " " if "\n" in text else "\n"))


def clean_sentence(text: str) -> str:
    """A text on one line, as :func:`clean_text` prepares it and without blanks around it."""
    return clean_text(text).replace("\n", " ").strip()


def split_text(text: str) -> tuple[tuple[str], tuple[str], tuple[str]]:
    """The first 90 % of the characters, the next 5 % and the last 5 %, each as one document."""
    valid_start, test_start = (len(text) * pieces // PIECES for pieces in (PIECES - 2, PIECES - 1))
    return (text[:valid_start],), (text[valid_start:test_start],), (text[test_start:],)
