"""Data for every chapter: embedded and real corpora, tokenizers, and batches."""

from transformer_lib.data.batches import Batches, LanguageModelBatches, StreamBatch, StreamBatches
from transformer_lib.data.bpe import BpeTokenizer
from transformer_lib.data.corpus import (
    Corpus,
    clean_sentence,
    clean_text,
    permutation,
    read_text_corpus,
)
from transformer_lib.data.digits import Images, load_digits
from transformer_lib.data.docstrings import load_docstrings
from transformer_lib.data.grammar import Derivation, Grammar, Tree
from transformer_lib.data.numbers import load_number_words
from transformer_lib.data.pairs import (
    IGNORED,
    PairBatch,
    PairBatches,
    ParallelCorpus,
    encode_pairs,
    encode_pairs_with_dropout,
    read_pairs,
    read_parallel_corpus,
)
from transformer_lib.data.registry import (
    CORPORA,
    IMAGES,
    PAIRS,
    TOKENIZERS,
    TREES,
    are_pairs,
    check_prose,
    load_corpus,
    load_images,
    load_pairs,
    load_trees,
    tokenizer_from_dict,
)
from transformer_lib.data.tales import TALES, load_tales
from transformer_lib.data.tokenizers import (
    CharTokenizer,
    SymbolTokenizer,
    Tokenizer,
    WordPunctTokenizer,
    WordTokenizer,
    token_stream,
    unknown_symbols,
)
from transformer_lib.data.trees import Treebank, format_tree, leaves, read_tree
from transformer_lib.data.visual import VisualQuestions, load_visual_questions

__all__ = [
    "CORPORA",
    "IGNORED",
    "IMAGES",
    "PAIRS",
    "TALES",
    "TOKENIZERS",
    "TREES",
    "Batches",
    "BpeTokenizer",
    "CharTokenizer",
    "Corpus",
    "Derivation",
    "Grammar",
    "Images",
    "LanguageModelBatches",
    "PairBatch",
    "PairBatches",
    "ParallelCorpus",
    "StreamBatch",
    "StreamBatches",
    "SymbolTokenizer",
    "Tokenizer",
    "Tree",
    "Treebank",
    "VisualQuestions",
    "WordPunctTokenizer",
    "WordTokenizer",
    "are_pairs",
    "check_prose",
    "clean_sentence",
    "clean_text",
    "encode_pairs",
    "encode_pairs_with_dropout",
    "format_tree",
    "leaves",
    "load_corpus",
    "load_digits",
    "load_docstrings",
    "load_images",
    "load_number_words",
    "load_pairs",
    "load_tales",
    "load_trees",
    "load_visual_questions",
    "permutation",
    "read_pairs",
    "read_parallel_corpus",
    "read_text_corpus",
    "read_tree",
    "token_stream",
    "tokenizer_from_dict",
    "unknown_symbols",
]
