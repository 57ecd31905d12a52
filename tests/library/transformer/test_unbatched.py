"""A sequence without a batch, and more axes than a batch, where PyTorch's own modules take them."""

import pytest
import torch
from density_cases import randomize
from drawn import exactly, normal

from transformer_lib.transformer.attention import CrossAttention, MultiHeadAttention
from transformer_lib.transformer.block import FeedForward, GatedFeedForward, LayerNorm, RMSNorm
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.stack import TransformerStack

MASKS = {
    "none": None,
    "causal": Mask.causal(),
    "lengths": Mask.from_key_lengths(torch.tensor([3])),
    "dense": Mask.from_dense(torch.rand(5, 5, generator=torch.Generator().manual_seed(0)) < 0.7),
}
X, MEMORY = normal(5, 8), normal(4, 8, seed=1)


@pytest.mark.parametrize("mask", MASKS)
def test_attention_of_a_sequence_alone_is_that_of_a_batch_of_one(mask):
    heads, mask = MultiHeadAttention(8, 2, n_kv_heads=1).double(), MASKS[mask]
    exactly(heads(X, mask=mask), heads(X[None], mask=mask)[0])
    exactly(heads.weights(X, mask=mask), heads.weights(X[None], mask=mask)[0])


@pytest.mark.parametrize("kind", [MultiHeadAttention, CrossAttention])
def test_attention_of_a_sequence_alone_to_another_is_that_of_batches_of_one(kind):
    heads = kind(8, 2).double()
    exactly(heads(X, MEMORY), heads(X[None], MEMORY[None])[0])
    exactly(heads(X, heads.keys_values(MEMORY[None])), heads(X[None], MEMORY[None])[0])
    exactly(heads.weights(X, MEMORY), heads.weights(X[None], MEMORY[None])[0])


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"norm": "post"},
        {"macaron": True},
        {"norm": "post", "macaron": True},
        {"attention_only": True, "tie_embeddings": False},
        {"positions": "rotary"},
        {"positions": "alibi"},
        {"positions": "sinusoidal"},
    ],
)
def test_a_block_and_a_stack_of_blocks_read_a_sequence_alone(form):
    config = TransformerConfig(7, 6, d_model=8, n_heads=2, n_layers=2, **form)
    stack = randomize(TransformerStack(config, cross_attention=True)).double().eval()
    of_one = stack(X[None], Mask.causal(), memory=MEMORY[None])[0]
    exactly(stack(X, Mask.causal(), memory=MEMORY), of_one)
    block = stack.blocks[0]
    exactly(block(X, Mask.causal(), memory=MEMORY), block(X[None], Mask.causal(), memory=MEMORY[None])[0])
    ids = torch.tensor([0, 1, 2, 0, 1])
    placed = stack(X[None], Mask.causal(), memory=MEMORY[None], start=ids[None])[0]
    exactly(stack(X, Mask.causal(), memory=MEMORY, start=ids), placed)


@pytest.mark.parametrize("kind", [LayerNorm, RMSNorm])
@pytest.mark.parametrize("axes", [(), (5,), (3, 2, 5)])
def test_a_normalization_takes_any_axes_before_the_features(kind, axes):
    module, x = randomize(kind(8)).double(), normal(*axes, 8)
    rows = torch.stack([module(row) for row in x.reshape(-1, 8)])
    exactly(module(x), rows.reshape(x.shape))


@pytest.mark.parametrize("kind", [FeedForward, GatedFeedForward])
@pytest.mark.parametrize("axes", [(), (5,), (3, 2, 5)])
def test_a_position_wise_network_takes_any_axes_before_the_features(kind, axes):
    module, x = kind(8, 12).double(), normal(*axes, 8)
    rows = torch.stack([module(row) for row in x.reshape(-1, 8)])
    exactly(module(x), rows.reshape(x.shape))


def test_what_pytorch_s_attention_does_not_take_is_refused(without_type_checks):
    heads, cross = MultiHeadAttention(8, 2).double(), CrossAttention(8, 2).double()
    for x in (X[0], X[None, None]):
        with pytest.raises(ValueError, match=r"inputs need the shape \(batch, time, 8\) or \(time, 8\); got"):
            heads(x)
    for module in (heads, cross):
        for x, context in ((X, MEMORY[None]), (X[None], MEMORY)):
            with pytest.raises(ValueError, match="a batch dimension both, or neither of them"):
                module(x, context)
