"""Choosing a text: greedy and sampled decoding, beam search (chapter 14); a cache of few bits (chapter 17).

They work with every `SequenceModel`: each token is read once, through the model's own running state.
"""

from transformer_lib.decoding.beam import Hypotheses, beam_search, length_penalty_factor
from transformer_lib.decoding.constrained import Constrained, well_formed_tree
from transformer_lib.decoding.sampling import generate, top_k_filter, top_p_filter

__all__ = [
    "Constrained",
    "Hypotheses",
    "beam_search",
    "generate",
    "length_penalty_factor",
    "top_k_filter",
    "top_p_filter",
    "well_formed_tree",
]
