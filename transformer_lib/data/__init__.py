"""Data for every chapter: embedded corpora and images, tokenizers, and batches."""

from transformer_lib.data.corpus import Corpus, permutation, read_text_corpus
from transformer_lib.data.digits import Images, load_digits
from transformer_lib.data.grammar import Derivation, Grammar, Tree
from transformer_lib.data.tales import TALES, load_tales, prettify
from transformer_lib.data.tokenizers import (
    CharTokenizer,
    Tokenizer,
    WordTokenizer,
    token_stream,
    tokenizer_from_dict,
)

__all__ = [
    "TALES",
    "CharTokenizer",
    "Corpus",
    "Derivation",
    "Grammar",
    "Images",
    "Tokenizer",
    "Tree",
    "WordTokenizer",
    "load_digits",
    "load_tales",
    "permutation",
    "prettify",
    "read_text_corpus",
    "token_stream",
    "tokenizer_from_dict",
]
