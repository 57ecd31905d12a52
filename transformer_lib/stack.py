"""The parts of a Transformer as its configuration asks for them."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.augmentation import embed_with_dropout
from transformer_lib.config import TransformerConfig
from transformer_lib.layers import LayerNorm, TransformerBlock
from transformer_lib.linear import uninitialized
from transformer_lib.positions import (
    AlibiPositions,
    GehringPositions,
    JointPositions,
    LearnedPositions,
    OneHotPositions,
    Positions,
    RelativePositions,
    RotaryPositions,
    SinusoidalPositions,
)

__all__ = ["block", "embed", "final_norm", "input_positions", "score_positions", "token_embedding"]


def token_embedding(vocab_size: int, d_model: int, generator: torch.Generator | None) -> nn.Embedding:
    """A vector a token, normal with variance ``1 / d_model``."""
    embedding = uninitialized(nn.Embedding, vocab_size, d_model)
    nn.init.normal_(embedding.weight, std=d_model**-0.5, generator=generator)
    return embedding


def embed(
    config: TransformerConfig, embedding: nn.Embedding, tokens: Int[Tensor, "batch time"], training: bool
) -> Float[Tensor, "batch time d_model"]:
    """The tokens' vectors, in training with some words hidden."""
    x = embed_with_dropout(embedding, tokens, config.input_dropout, config.embedding_dropout, training)
    return x * math.sqrt(config.d_model) if config.scale_embeddings else x


def input_positions(config: TransformerConfig, generator: torch.Generator | None) -> Positions:
    """The scheme, if it acts on what enters the first block, and otherwise none."""
    n, d = config.context_length, config.d_model
    match config.positions:
        case "learned":
            return LearnedPositions(n, d, generator=generator)
        case "sinusoidal":
            return SinusoidalPositions(n, d)
        case "one-hot":
            return OneHotPositions(n, d, generator=generator)
        case "joint":
            return JointPositions(n, d, generator=generator)
        case "gehring":
            return GehringPositions(n, d, generator=generator)
        case _:
            return Positions()


def score_positions(config: TransformerConfig, generator: torch.Generator | None) -> Positions:
    """The scheme, if it acts within attention, and otherwise none."""
    n, d_head = config.context_length, config.head_width
    match config.positions:
        case "relative":
            return RelativePositions(config.n_heads, d_head, n, generator=generator)
        case "rotary":
            return RotaryPositions(n, d_head)
        case "alibi":
            return AlibiPositions(config.n_heads)
        case _:
            return Positions()


def block(
    config: TransformerConfig, generator: torch.Generator | None, *, cross_attention: bool = False
) -> TransformerBlock:
    """One block."""
    return TransformerBlock(
        config.d_model,
        config.n_heads,
        config.d_ff,
        d_head=config.d_head,
        norm=config.norm,
        activation=config.activation,
        bias=config.bias,
        attention_bias=config.attention_bias,
        dropout=config.dropout,
        attention_dropout=config.attention_dropout,
        activation_dropout=config.activation_dropout,
        eps=config.norm_eps,
        eps_on=config.norm_eps_on,
        cross_attention=cross_attention,
        macaron=config.macaron,
        positions=score_positions(config, generator),
        generator=generator,
    )


def final_norm(config: TransformerConfig) -> nn.Module:
    """The normalization behind the last block, which pre-norm needs and post-norm does not."""
    if config.norm == "post":
        return nn.Identity()
    return LayerNorm(config.d_model, eps=config.norm_eps, eps_on=config.norm_eps_on)
