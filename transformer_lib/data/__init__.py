"""Data for every chapter: embedded corpora and images, tokenizers, and batches."""

from transformer_lib.data.batches import LanguageModelBatches
from transformer_lib.data.corpus import Corpus, permutation, read_text_corpus
from transformer_lib.data.digits import Images, load_digits
from transformer_lib.data.docstrings import load_docstrings
from transformer_lib.data.grammar import Derivation, Grammar, Tree
from transformer_lib.data.registry import CORPORA, load_corpus
from transformer_lib.data.tales import TALES, load_tales, prettify
from transformer_lib.data.tokenizers import (
    CharTokenizer,
    Tokenizer,
    WordTokenizer,
    token_stream,
    tokenizer_from_dict,
)

__all__ = [
    "CORPORA",
    "TALES",
    "CharTokenizer",
    "Corpus",
    "Derivation",
    "Grammar",
    "Images",
    "LanguageModelBatches",
    "Tokenizer",
    "Tree",
    "WordTokenizer",
    "load_corpus",
    "load_digits",
    "load_docstrings",
    "load_tales",
    "permutation",
    "prettify",
    "read_text_corpus",
    "token_stream",
    "tokenizer_from_dict",
]
