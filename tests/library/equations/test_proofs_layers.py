"""The library's layers, block and language model are the sources', in float64 to 1e-10."""

import numpy as np
import pytest
import torch
from block_cases import made_block
from equation_cases import (
    BlockCase,
    block_cases,
    causal_block,
    few_examples,
    lengths,
    random_theta,
    seeds,
    widths,
)
from hypothesis import given
from loaded_modules import block_module, load_weights, norm_module
from torch import nn

from transformer_lib.equations import note, slides, tx
from transformer_lib.transformer.block import FeedForward, LayerNorm, TransformerBlock
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig
from transformer_lib.transformer.note_matrices import note_matrices

ATOL = 1e-10


@pytest.mark.proves("N7", "N8", "S13")
@few_examples
@given(block_cases())
def test_layer_norm_without_epsilon_is_the_note_s_on_each_position(case: BlockCase) -> None:
    gamma, beta = case.theta.gamma_1, case.theta.beta_1
    ours = norm_module(gamma, beta, case.x.shape[1])(torch.from_numpy(case.x)).detach()
    theirs = np.array([note.layer_norm(x_i, gamma, beta) for x_i in case.x])
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=ATOL)


@pytest.mark.proves("N8")
@few_examples
@given(block_cases(vector_norms=True))
def test_layer_norm_s_epsilon_is_added_to_the_squared_deviation(case: BlockCase) -> None:
    gamma, beta, eps = case.theta.gamma_1, case.theta.beta_1, 0.01
    module = norm_module(gamma, beta, case.x.shape[1])
    module.eps = eps
    for x_i in case.x:
        mu, sigma = note.mean_and_deviation(x_i)
        expected = gamma * (x_i - mu) / np.sqrt(sigma**2 + eps) + beta
        np.testing.assert_allclose(module(torch.from_numpy(x_i)).detach(), expected, atol=ATOL)


@pytest.mark.proves("N5", "S11")
@few_examples
@given(block_cases())
def test_the_feed_forward_module_is_the_note_s_relu_network(case: BlockCase) -> None:
    d, m = case.theta.W_1.shape
    module = FeedForward(d, m, bias=False, activation="relu").double()
    load_weights(module.up, case.theta.W_1)
    load_weights(module.down, case.theta.W_2)
    expected = note.feed_forward(case.x, case.theta.W_1, case.theta.W_2)
    np.testing.assert_allclose(module(torch.from_numpy(case.x)).detach(), expected, atol=ATOL)


@pytest.mark.proves("T5")
@few_examples
@given(block_cases(), seeds)
def test_the_feed_forward_module_with_biases_is_the_article_s(case: BlockCase, seed: int) -> None:
    rng = np.random.default_rng(seed)
    W_1, W_2 = case.theta.W_1, case.theta.W_2
    d, m = W_1.shape
    b_1, b_2 = rng.normal(size=m), rng.normal(size=d)
    module = FeedForward(d, m, activation="relu").double()
    load_weights(module.up, W_1, b_1)
    load_weights(module.down, W_2, b_2)
    expected = tx.feed_forward(case.x, W_1, b_1, W_2, b_2)
    np.testing.assert_allclose(module(torch.from_numpy(case.x)).detach(), expected, atol=ATOL)


@pytest.mark.proves("N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8")
@pytest.mark.proves("S7", "S8", "S9", "S10", "S11", "S12", "S13")
@few_examples
@given(block_cases())
def test_the_post_norm_block_is_the_note_s(case: BlockCase) -> None:
    ours = block_module(case.theta)(torch.from_numpy(case.x)[None])[0].detach()
    expected = note.transformer_block(case.x, case.theta)
    np.testing.assert_allclose(ours, expected, rtol=1e-8, atol=ATOL)


@pytest.mark.proves("T6", "T7")
@few_examples
@given(block_cases(vector_norms=True), seeds)
def test_the_post_norm_block_with_biases_is_the_article_s_two_lines(case: BlockCase, seed: int) -> None:
    rng = np.random.default_rng(seed)
    theta = case.theta
    H, k, d = theta.W_c.shape
    m = theta.W_1.shape[1]
    b_1, b_2 = rng.normal(size=m), rng.normal(size=d)
    block = made_block(d, H, m, d_head=k, norm="post", activation="relu", bias=True, eps=0.0).double()
    source = block_module(theta)
    block.load_state_dict(source.state_dict(), strict=False)
    load_weights(block.feed_forward.up, theta.W_1, b_1)
    load_weights(block.feed_forward.down, theta.W_2, b_2)

    x_prime = tx.self_attention_residual(
        case.x,
        lambda X: tx.multi_head_attention(X, X, X, *theta[:3], theta.W_c.reshape(H * k, d)),
        theta.gamma_1,
        theta.beta_1,
    )
    expected = tx.feed_forward_residual(
        x_prime, lambda X: tx.feed_forward(X, theta.W_1, b_1, theta.W_2, b_2), theta.gamma_2, theta.beta_2
    )
    ours = block(torch.from_numpy(case.x)[None])[0].detach()
    np.testing.assert_allclose(ours, expected, rtol=1e-8, atol=ATOL)


@pytest.mark.proves("N12a")
@few_examples
@given(block_cases(), seeds)
def test_a_stack_of_different_modules_is_the_note_s_transformer_first_parameters_first(
    case: BlockCase, seed: int
) -> None:
    (H, d, k), m = case.theta.W_q.shape, case.theta.W_1.shape[1]
    other = random_theta(np.random.default_rng(seed), d, k, m, H, vectors=True)
    stack = nn.Sequential(block_module(case.theta), block_module(other))
    ours = stack(torch.from_numpy(case.x)[None])[0].detach()
    expected = note.transformer(case.x, [case.theta, other])
    np.testing.assert_allclose(ours, expected, rtol=1e-7, atol=1e-9)


@pytest.mark.slow
@pytest.mark.proves("N1", "N2", "N3", "N4", "N5", "N6", "N9", "S5", "T4", "N12a")
@few_examples
@given(seeds, lengths, widths)
def test_the_language_model_is_the_sources_equations_from_tokens_to_probabilities(
    seed: int, p: int, vocab_size: int
) -> None:
    rng = np.random.default_rng(seed)
    config = TransformerConfig(
        vocab_size,
        p,
        d_model=4,
        n_heads=2,
        n_layers=2,
        d_ff=5,
        d_head=3,
        norm="post",
        activation="relu",
        tie_embeddings=bool(rng.integers(2)),
    )
    model = DecoderLM(config).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.from_numpy(rng.normal(size=parameter.shape)))
    for module in model.modules():
        if isinstance(module, LayerNorm):
            module.eps = 0.0
    tokens = rng.integers(vocab_size, size=p)

    places = model.stack.positions.table.weight.detach().numpy()
    z = model.token_embedding.weight.detach().numpy()[tokens] + places
    for block in model.stack.blocks:
        z = causal_block(z, parameters_of(block))
    head = model.token_embedding if config.tie_embeddings else model.head
    W_z = head.weight.detach().numpy().T
    y_hat = np.array([note.log_linear_head(z_t, W_z) for z_t in z])

    ours = model.logits(torch.from_numpy(tokens)[None])[0].softmax(-1).detach()
    np.testing.assert_allclose(ours, y_hat, rtol=1e-7, atol=ATOL)
    by_slides = np.array([slides.categorical(W_z.T @ z_t) for z_t in z])
    np.testing.assert_allclose(ours, by_slides, rtol=1e-7, atol=ATOL)


def parameters_of(block: TransformerBlock) -> note.BlockParameters:
    matrices = {name: torch.stack(heads).numpy() for name, heads in note_matrices(block.attention).items()}
    return note.BlockParameters(
        **matrices,
        gamma_1=block.attention_norm.gain.detach().numpy(),
        beta_1=block.attention_norm.bias.detach().numpy(),
        W_1=block.feed_forward.up.weight.detach().numpy().T,
        W_2=block.feed_forward.down.weight.detach().numpy().T,
        gamma_2=block.feed_forward_norm.gain.detach().numpy(),
        beta_2=block.feed_forward_norm.bias.detach().numpy(),
    )
