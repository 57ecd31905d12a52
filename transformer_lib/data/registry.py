"""Corpora by name, for the command line and for whoever has a text file."""

from pathlib import Path

from transformer_lib.data.corpus import Corpus, read_text_corpus
from transformer_lib.data.docstrings import load_docstrings
from transformer_lib.data.tales import load_tales

CORPORA = {"tales": load_tales, "docstrings": load_docstrings}


def load_corpus(name: str | Path) -> Corpus:
    """The embedded corpus called `name`, or else the text file at that path.

    Raises
    ------
    ValueError
        If `name` is neither, or if the file cannot serve (see `read_text_corpus`).
    """
    if name in CORPORA:
        return CORPORA[name]()
    if not Path(name).exists():
        raise ValueError(
            f"{str(name)!r} is neither a corpus ({', '.join(sorted(CORPORA))}) nor a file that exists"
        )
    return read_text_corpus(name)
