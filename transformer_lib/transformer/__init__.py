"""The Transformer: attention, masks and positions; the block and the stack; the models made of them.

To follow one forward pass, read `language_model`, `stack`, `block` and `attention`. `positions` has the
schemes of positions, such as rotary; their base class is in `position_hooks`, with GPT-2's learned table.
"""

from transformer_lib.transformer.attention import MultiHeadAttention, attention_weights
from transformer_lib.transformer.block import (
    FeedForward,
    GatedFeedForward,
    LayerNorm,
    RMSNorm,
    TransformerBlock,
)
from transformer_lib.transformer.cache import DecoderState, KeyValueCache
from transformer_lib.transformer.config import POSITIONS, PRESETS, TransformerConfig
from transformer_lib.transformer.encoder_decoder import Classifier, Encoder, EncoderDecoder
from transformer_lib.transformer.hopfield import hopfield_energy, hopfield_retrieve
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import LearnedPositions, Positions
from transformer_lib.transformer.stack import TransformerStack
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig
from transformer_lib.transformer.vision import CrossModalClassifier, ImageTransformer

__all__ = [
    "POSITIONS",
    "PRESETS",
    "Classifier",
    "CrossModalClassifier",
    "DecoderLM",
    "DecoderState",
    "Encoder",
    "EncoderDecoder",
    "FeedForward",
    "GatedFeedForward",
    "ImageTransformer",
    "KeyValueCache",
    "LayerNorm",
    "LearnedPositions",
    "Mask",
    "MultiHeadAttention",
    "Positions",
    "RMSNorm",
    "TransformerBlock",
    "TransformerConfig",
    "TransformerStack",
    "TransformerXL",
    "TransformerXLConfig",
    "attention_weights",
    "hopfield_energy",
    "hopfield_retrieve",
]
