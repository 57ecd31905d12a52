"""Whole models, from tokens to logits and back to gradients, against others that share no code with them."""

import math
from functools import partial

import drawn
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from density_cases import randomize
from torch import nn
from torch.testing import assert_close

from transformer_lib.equations import note, papers_attention
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.note_matrices import note_matrices
from transformer_lib.transformer.positions import sinusoids
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig

VOCAB, CONTEXT, D, HEADS, D_FF, LAYERS = 11, 7, 12, 3, 20, 3
TORCH_NAMES = {
    "attention.qkv.": "self_attn.in_proj_",
    "attention.output.": "self_attn.out_proj.",
    "attention_norm.": "norm1.",
    "feed_forward.up.": "linear1.",
    "feed_forward.down.": "linear2.",
    "feed_forward_norm.": "norm2.",
}
tokens = partial(drawn.tokens, vocab_size=VOCAB)


class TorchDecoder(nn.Module):
    """A language model out of PyTorch's own layers, with the parameters of one of the library's."""

    def __init__(self, ours, norm, activation):
        super().__init__()
        shape = {"activation": activation, "batch_first": True, "norm_first": norm == "pre"}
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(D, HEADS, D_FF, 0.0, **shape) for _ in range(LAYERS)
        )
        self.embedding, self.table = nn.Embedding(VOCAB, D), nn.Embedding(CONTEXT, D)
        self.norm = nn.LayerNorm(D) if norm == "pre" else None
        self.head = None if ours.config.tie_embeddings else nn.Linear(D, VOCAB, bias=False)
        self.double()
        self.pairs, own = {}, dict(self.named_parameters())
        for name, parameter in ours.named_parameters():
            self.pairs[name] = own.pop(self.name_of(name))
            self.pairs[name].data.copy_(parameter.data)
        assert not own

    @staticmethod
    def name_of(name):
        name = name.replace("gain", "weight").replace("token_embedding", "embedding")
        name = name.replace("stack.positions.table", "table").replace("stack.final_norm", "norm")
        if "blocks." not in name:
            return name
        number, rest = name.split("blocks.")[1].split(".", 1)
        ours = next(prefix for prefix in TORCH_NAMES if rest.startswith(prefix))
        return f"layers.{number}.{rest.replace(ours, TORCH_NAMES[ours])}"

    def forward(self, x):
        time = x.shape[1]
        z = self.embedding(x) * math.sqrt(D) + self.table.weight[:time]
        future = torch.ones(time, time, dtype=torch.bool).triu(1)
        for layer in self.layers:
            z = layer(z, src_mask=future)
        z = z if self.norm is None else self.norm(z)
        return F.linear(z, (self.embedding if self.head is None else self.head).weight)


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", F.gelu], ids=["relu", "gelu"])
@pytest.mark.parametrize("tied", [True, False], ids=["tied", "untied"])
@pytest.mark.parametrize("time", [1, CONTEXT])
def test_a_language_model_has_the_logits_and_gradients_of_pytorch_s_own_layers(norm, activation, tied, time):
    """With embeddings so small that the normalizations' default constants count."""
    config = TransformerConfig(
        VOCAB,
        CONTEXT,
        d_model=D,
        n_heads=HEADS,
        n_layers=LAYERS,
        d_ff=D_FF,
        norm=norm,
        activation="relu" if activation == "relu" else "gelu",
        bias=True,
        scale_embeddings=True,
        tie_embeddings=tied,
    )
    ours = randomize(DecoderLM(config).double(), scale=0.3)
    with torch.no_grad():
        for name, parameter in ours.named_parameters():
            parameter.mul_(0.01 if "embedding" in name or "positions" in name else 1.0)
    theirs = TorchDecoder(ours, norm, activation)
    x, y = tokens(4, time), tokens(4, time, seed=1)
    logits, expected = ours(x), theirs(x)
    assert_close(logits, expected, rtol=1e-10, atol=1e-12)
    for result in (logits, expected):
        F.cross_entropy(result.flatten(0, 1), y.flatten()).backward()
    for name, parameter in ours.named_parameters():
        assert_close(parameter.grad, theirs.pairs[name].grad, rtol=1e-8, atol=1e-12)
        one_key = time == 1 and name.endswith("qkv.weight")
        assert parameter.grad.abs().max() > 0 or one_key


@pytest.mark.slow
@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("pieces", [[1], [2, 1, 3], [CONTEXT + 2, 1, 1]], ids=str)
def test_far_beyond_the_context_what_is_read_step_by_step_or_in_pieces_has_the_logits_of_its_last_window(
    positions, pieces
):
    config = TransformerConfig(
        VOCAB, CONTEXT, d_model=D, n_heads=HEADS, n_layers=2, positions=positions, d_head=4
    )
    lm = randomize(DecoderLM(config).double(), scale=0.5).eval()
    x, state, read = tokens(2, 3 * CONTEXT + 2), lm.init_state(2), 0
    while read < x.shape[1]:
        for size in pieces:
            piece = x[:, read : read + size]
            if piece.shape[1] == 0:
                break
            read += piece.shape[1]
            logits, state = lm.step(piece[:, 0], state) if size == 1 else lm.read(piece, state)
            with torch.no_grad():
                window = lm.logits(x[:, max(0, read - CONTEXT) : read])[:, -1]
            assert_close(logits, window, rtol=0, atol=1e-11)


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("mask", [None, Mask.causal()], ids=["full", "causal"])
def test_the_weights_of_attention_are_those_it_mixes_values_with_under_every_scheme(positions, mask):
    config = TransformerConfig(VOCAB, CONTEXT, d_model=D, n_heads=HEADS, n_layers=1, positions=positions)
    lm = randomize(DecoderLM(config).double(), scale=0.5).eval()
    heads = next(module for module in lm.modules() if isinstance(module, MultiHeadAttention))
    x = torch.randn(2, 5, D, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    by_note, weights = note_matrices(heads), heads.weights(x, mask=mask)
    assert_close(weights.sum(-1), torch.ones(2, HEADS, 5, dtype=torch.float64))
    mixed = sum(
        weights[:, h] @ (x @ W_v) @ W_c for h, (W_v, W_c) in enumerate(zip(by_note["W_v"], by_note["W_c"]))
    )
    if positions == "relative-values":
        place = torch.arange(5) - torch.arange(5)[:, None] + CONTEXT
        carried = heads.positions.value_vectors[:, place]
        mixed = mixed + sum(
            torch.einsum("bij,ijd->bid", weights[:, h], carried[h]) @ by_note["W_c"][h] for h in range(HEADS)
        )
    assert_close(heads(x, mask=mask), mixed, rtol=0, atol=1e-11)


@pytest.mark.parametrize("time", [1, 2, 6])
@pytest.mark.parametrize("memory_length", [1, 3])
def test_transformer_xl_s_logits_are_the_paper_s_from_scaled_embeddings_on(time, memory_length):
    """Post-norm; each position by itself, with the keys that its block shows it."""
    shape = TransformerXLConfig(5, memory_length, d_model=6, n_heads=2, n_layers=2, d_ff=7)
    model = randomize(TransformerXL(shape).double(), scale=0.4).eval()
    theta = {name: parameter.detach().numpy() for name, parameter in model.named_parameters()}
    x = tokens(1, time, vocab_size=5)
    h = theta["token_embedding.weight"][x[0].numpy()] * math.sqrt(6)
    for number in range(2):
        part = {
            name.split(f"blocks.{number}.")[1]: array
            for name, array in theta.items()
            if f"blocks.{number}." in name
        }
        outputs = []
        for i in range(time):
            past = h[max(0, i - memory_length) : i]
            u = h[i] + attended(
                h[i], past, part, theta["distances.content_bias"], theta["distances.distance_bias"]
            )
            u = normalized(u, part["attention_norm.gain"], part["attention_norm.bias"])
            inner = np.maximum(0.0, part["feed_forward.up.weight"] @ u + part["feed_forward.up.bias"])
            z = u + part["feed_forward.down.weight"] @ inner + part["feed_forward.down.bias"]
            outputs.append(normalized(z, part["feed_forward_norm.gain"], part["feed_forward_norm.bias"]))
        h = np.array(outputs)
    expected = h @ theta["token_embedding.weight"].T
    np.testing.assert_allclose(model.logits(x)[0].detach(), expected, atol=1e-10)


def attended(h_i, past, part, content_bias, distance_bias):
    R, k = sinusoids(len(past) + 1, len(h_i)).numpy(), content_bias.shape[1]
    W_q, W_kE, W_kR, W_v, W_c = (
        part[f"attention.{name}.weight"] for name in ("query", "key", "distance_key", "value", "output")
    )
    heads = []
    for head, (u, v) in enumerate(zip(content_bias, distance_bias)):
        rows = slice(head * k, (head + 1) * k)
        scores = papers_attention.transformer_xl_scores(
            h_i[None], past, R, W_q[rows], W_kE[rows], W_kR[rows], u, v
        )
        weights = note.softmax(scores[0] / np.sqrt(k))
        heads.append(weights @ np.concatenate([past, h_i[None]]) @ W_v[rows].T)
    return W_c @ np.concatenate(heads)


def normalized(z, gain, bias):
    return gain * (z - z.mean()) / np.sqrt(z.var() + 1e-5) + bias
