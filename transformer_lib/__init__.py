"""The companion library of the course *Transformers, Equation by Equation*.

These are the names a reader meets most; data, training and plotting have packages of their own, which nothing
here imports.
"""

import logging

from transformer_lib.decoding.beam import beam_search
from transformer_lib.decoding.sampling import generate
from transformer_lib.interfaces import ConditionalModel, DensityModel, SequenceModel
from transformer_lib.losses import language_model_loss
from transformer_lib.released import load_gpt2, load_llama, save_pretrained
from transformer_lib.transformer.attention import MultiHeadAttention, attention, attention_weights
from transformer_lib.transformer.block import (
    FeedForward,
    GatedFeedForward,
    LayerNorm,
    RMSNorm,
    TransformerBlock,
)
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
    "GatedFeedForward",
    "LayerNorm",
    "Mask",
    "MultiHeadAttention",
    "RMSNorm",
    "SequenceModel",
    "TransformerBlock",
    "TransformerConfig",
    "attention",
    "attention_weights",
    "beam_search",
    "generate",
    "language_model_loss",
    "load_gpt2",
    "load_llama",
    "save_pretrained",
]
