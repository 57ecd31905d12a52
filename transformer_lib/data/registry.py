"""Data and tokenizers by name, for the command line and for readers with a text file."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from transformer_lib.data.bpe import BpeTokenizer
from transformer_lib.data.corpus import Corpus, clean_text, read_text_corpus
from transformer_lib.data.digits import Images, load_digits
from transformer_lib.data.docstrings import load_docstrings
from transformer_lib.data.numbers import load_number_words
from transformer_lib.data.pairs import ParallelCorpus, read_parallel_corpus
from transformer_lib.data.real import (
    load_binarized_mnist,
    load_gum_const,
    load_mnist,
    load_multi30k,
    load_tatoeba,
    load_tinyshakespeare,
    load_wikitext_2,
)
from transformer_lib.data.tales import load_tales
from transformer_lib.data.tokenizers import CharTokenizer, Tokenizer, WordPunctTokenizer, WordTokenizer
from transformer_lib.data.trees import Treebank, load_sightings

T = TypeVar("T")

MOST_LOOKED_AT, MOST_LINES = 1 << 20, 1000
TABLES = {".csv", ".tab", ".xls", ".xlsx", ".ods"}

CORPORA: dict[str, Callable[[], Corpus]] = {
    "tales": load_tales,
    "docstrings": load_docstrings,
    "tinyshakespeare": load_tinyshakespeare,
    "wikitext-2": load_wikitext_2,
}
"""What reads each corpus, by name.

:meta hide-value:
"""

PAIRS: dict[str, Callable[[], ParallelCorpus]] = {
    "number-words-de-en": partial(load_number_words, "de", "en"),
    "number-words-en-de": partial(load_number_words, "en", "de"),
    "number-words-fr-en": partial(load_number_words, "fr", "en"),
    "number-words-en-fr": partial(load_number_words, "en", "fr"),
    "multi30k-de-en": partial(load_multi30k, "de", "en"),
    "multi30k-en-de": partial(load_multi30k, "en", "de"),
    "tatoeba-fra-eng": partial(load_tatoeba, "fra", "eng"),
    "tatoeba-eng-fra": partial(load_tatoeba, "eng", "fra"),
}
"""What reads each parallel corpus, by name.

:meta hide-value:
"""

IMAGES: dict[str, Callable[[], Images]] = {
    "digits": load_digits,
    "mnist": load_mnist,
    "binarized-mnist": load_binarized_mnist,
}
"""What reads each set of images, by name.

:meta hide-value:
"""

TREES: dict[str, Callable[[], Treebank]] = {"gum-const": load_gum_const, "sightings": load_sightings}
"""What reads each treebank, by name.

:meta hide-value:
"""

TOKENIZERS: dict[str, type[Tokenizer]] = {
    "word": WordTokenizer,
    "char": CharTokenizer,
    "word-punct": WordPunctTokenizer,
    "bpe": BpeTokenizer,
}
"""The kinds of tokenizers, by name.

:meta hide-value:
"""


def load_corpus(name: str | Path) -> Corpus:
    """The corpus called `name`, or else the text file at that path.

    Raises
    ------
    ValueError
        If `name` is neither, or if the data cannot be had (see `read_text_corpus`; real corpora need a folder
        in ``TRANSFORMER_DATA`` or a download).
    """
    if name in CORPORA:
        return CORPORA[name]()
    if not Path(name).exists():
        raise ValueError(
            f"{str(name)!r} is neither a corpus ({', '.join(sorted(CORPORA))}) nor a file that exists, nor "
            f"pairs of sentences ({', '.join(sorted(PAIRS))}, or a file *.tsv)"
        )
    return read_text_corpus(name)


def are_pairs(name: str | Path) -> bool:
    """Whether `name` is that of a parallel corpus, or the path of a file ``*.tsv``, which holds pairs."""
    return name in PAIRS or Path(name).suffix.lower() == ".tsv"


def check_prose(path: str | Path) -> None:
    """Refuse a file that looks like pairs of sentences or a table, rather than take it for prose.

    Raises
    ------
    ValueError
        If its name ends as that of a table, or tabs part nearly all of its first lines into as many fields;
        saying how it can be read.
    """
    path = Path(path)
    if are_pairs(path) or not path.is_file():
        return
    with path.open("rb") as file:
        start = file.read(MOST_LOOKED_AT).decode("utf-8", errors="ignore")
    lines = [line for line in clean_text(start).split("\n")[:MOST_LINES] if line.strip()]
    n_fields, n_lines = Counter(line.count("\t") + 1 for line in lines).most_common(1)[0] if lines else (1, 0)
    is_parted = n_fields > 1 and n_lines >= 0.9 * len(lines) and len(lines) > 1
    if is_parted or path.suffix.lower() in TABLES:
        found = f"its lines have {n_fields} fields parted by tabs" if is_parted else "it is named as a table"
        raise ValueError(
            f"is {path} pairs of sentences or a text? {found}. For a translator, save lines of a source, one "
            f"tab and its target as {path.stem}.tsv; to train a language model of it as it is, give --text"
        )


def load_pairs(name: str | Path) -> ParallelCorpus:
    """The parallel corpus called `name`, such as ``"number-words-de-en"``: from German to English.

    Or that in the file at this path, if it ends in ``.tsv`` (see `read_parallel_corpus`).

    Raises
    ------
    ValueError
        If there is none of that name, or if the data cannot be had.
    """
    if name not in PAIRS and are_pairs(name):
        return read_parallel_corpus(name)
    return _load(PAIRS, str(name), "a parallel corpus")


def load_images(name: str) -> Images:
    """The images called `name`.

    Raises
    ------
    ValueError
        If there are none of that name, or if the data cannot be had.
    """
    return _load(IMAGES, name, "a set of images")


def load_trees(name: str) -> Treebank:
    """The treebank called `name`.

    Raises
    ------
    ValueError
        If there is none of that name, or if the data cannot be had.
    """
    return _load(TREES, name, "a treebank")


def tokenizer_from_dict(data: dict[str, Any]) -> Tokenizer:
    """The tokenizer, of whichever kind, whose `to_dict` gave `data`.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    kinds = {cls.kind: cls for cls in TOKENIZERS.values()}
    if data.get("kind") not in kinds:
        raise ValueError(f"unknown tokenizer kind {data.get('kind')!r}: the kinds are {', '.join(kinds)}")
    return kinds[data["kind"]].from_dict(data)


def _load(loaders: Mapping[str, Callable[[], T]], name: str, what: str) -> T:
    if name not in loaders:
        raise ValueError(f"{name!r} is not the name of {what}: the names are {', '.join(sorted(loaders))}")
    return loaders[name]()
