"""The library's layers with the parameters of an equation."""

import numpy as np
import torch
from block_cases import made_block
from torch import nn

from transformer_lib.equations import note
from transformer_lib.transformer.block import LayerNorm, TransformerBlock
from transformer_lib.transformer.note_matrices import load_note_matrices


def norm_module(gamma: float | np.ndarray, beta: float | np.ndarray, d: int) -> LayerNorm:
    module = LayerNorm(d, eps=0.0, scalar=isinstance(gamma, float)).double()
    with torch.no_grad():
        module.gain.copy_(torch.as_tensor(gamma, dtype=torch.float64))
        module.bias.copy_(torch.as_tensor(beta, dtype=torch.float64))
    return module


def load_weights(linear: nn.Linear, W: np.ndarray, b: np.ndarray | None = None) -> None:
    """A linear map that computes :math:`W^T x + b`."""
    with torch.no_grad():
        linear.weight.copy_(torch.from_numpy(W.T))
        if b is not None:
            linear.bias.copy_(torch.from_numpy(b))


def block_module(theta: note.BlockParameters, dropout: float = 0.0) -> TransformerBlock:
    H, d, k = theta.W_q.shape
    block = made_block(
        d,
        H,
        theta.W_1.shape[1],
        d_head=k,
        norm="post",
        activation="relu",
        dropout=dropout,
        scalar_norm=isinstance(theta.gamma_1, float),
        eps=0.0,
    ).double()
    load_note_matrices(block.attention, *theta[:4])
    block.attention_norm.load_state_dict(norm_module(theta.gamma_1, theta.beta_1, d).state_dict())
    block.feed_forward_norm.load_state_dict(norm_module(theta.gamma_2, theta.beta_2, d).state_dict())
    load_weights(block.feed_forward.up, theta.W_1)
    load_weights(block.feed_forward.down, theta.W_2)
    return block
