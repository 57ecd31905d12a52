"""The companion library of the course *Transformers, Equation by Equation*.

These are the names a reader meets most; data, training and plotting have packages of their own, which nothing
here imports.
"""

import logging

from transformer_lib.decoding.beam import beam_search
from transformer_lib.decoding.sampling import generate
from transformer_lib.interfaces import ConditionalModel, DensityModel, SequenceModel
from transformer_lib.transformer.attention import MultiHeadAttention, attention_weights
from transformer_lib.transformer.block import FeedForward, LayerNorm, TransformerBlock
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import Classifier, Encoder, EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask

__version__ = "0.1.0"
logging.getLogger(__name__).addHandler(logging.NullHandler())

__all__ = [
    "Classifier",
    "ConditionalModel",
    "DecoderLM",
    "DensityModel",
    "Encoder",
    "EncoderDecoder",
    "FeedForward",
    "LayerNorm",
    "Mask",
    "MultiHeadAttention",
    "SequenceModel",
    "TransformerBlock",
    "TransformerConfig",
    "attention_weights",
    "beam_search",
    "generate",
]
