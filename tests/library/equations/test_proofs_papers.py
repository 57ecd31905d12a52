"""What the library takes from the literature is what the papers say, in float64 to 1e-10."""

import numpy as np
import pytest
import torch
from block_cases import made_block
from equation_cases import few_examples, lengths, normal, random_theta, seeds
from hypothesis import given
from hypothesis import strategies as st
from loaded_modules import load_weights

from transformer_lib.decoding.beam import beam_search, length_penalty_factor
from transformer_lib.decoding.sampling import generate, top_k_filter, top_p_filter
from transformer_lib.equations import note, papers_attention, papers_decoding, papers_training
from transformer_lib.experiments.chapter_15 import accounting
from transformer_lib.interfaces import SequenceModel
from transformer_lib.losses import smoothed_cross_entropy
from transformer_lib.recurrent.alignment import Alignment
from transformer_lib.training.schedules import learning_rate_factor
from transformer_lib.transformer.block import FeedForward, LayerNorm, TransformerBlock
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.note_matrices import load_note_matrices

ATOL = 1e-10


@pytest.mark.proves("lu2019")
@few_examples
@given(seeds, lengths)
def test_the_pre_norm_macaron_block_is_lu_s_with_normalizations_in_its_sub_layers(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    d, k, m, H = 4, 3, 5, 2
    theta, first = random_theta(rng, d, k, m, H, vectors=True), random_theta(rng, d, k, m, H, vectors=True)
    block = macaron_block(theta, first, "pre")

    def ffn(parameters: note.BlockParameters):
        return lambda x: note.feed_forward(
            normalized(x, parameters.gamma_2, parameters.beta_2), parameters.W_1, parameters.W_2
        )

    def attend(x: np.ndarray) -> np.ndarray:
        Q, K, V = note.queries_keys_values(normalized(x, theta.gamma_1, theta.beta_1), *theta[:3])
        return note.combined_heads(note.attention_weights(Q, K), V, theta.W_c)

    x = rng.normal(size=(n, d))
    expected = papers_attention.macaron_block(x, ffn(first), attend, ffn(theta))
    np.testing.assert_allclose(block(torch.from_numpy(x)[None])[0].detach(), expected, rtol=1e-8, atol=ATOL)


@few_examples
@given(seeds, lengths)
def test_the_post_norm_macaron_block_normalizes_each_of_its_three_sums(seed: int, n: int) -> None:
    """Lu et al. print no normalizations: here each residual sum has one, the halves included."""
    rng = np.random.default_rng(seed)
    d, k, m, H = 4, 3, 5, 2
    theta, first = random_theta(rng, d, k, m, H, vectors=True), random_theta(rng, d, k, m, H, vectors=True)
    block = macaron_block(theta, first, "post")
    x = rng.normal(size=(n, d))
    half = 0.5 * note.feed_forward(x, first.W_1, first.W_2)
    u = note.residual_layer_norm(x, half, first.gamma_2, first.beta_2)
    Q, K, V = note.queries_keys_values(u, *theta[:3])
    heads = note.combined_heads(note.attention_weights(Q, K), V, theta.W_c)
    v = note.residual_layer_norm(u, heads, theta.gamma_1, theta.beta_1)
    half = 0.5 * note.feed_forward(v, theta.W_1, theta.W_2)
    expected = note.residual_layer_norm(v, half, theta.gamma_2, theta.beta_2)
    np.testing.assert_allclose(block(torch.from_numpy(x)[None])[0].detach(), expected, rtol=1e-7, atol=1e-9)


@pytest.mark.proves("luong2015")
@few_examples
@given(seeds, st.integers(1, 8), st.integers(1, 3))
def test_local_alignment_is_luong_s(seed: int, S: int, D: int) -> None:
    h_t, h, W_a, W_p, v_p = normal(seed, (2, 3), (S, 3), (3, 3), (3, 3), (3,))
    alignment = Alignment(3, 3, scoring="general", weighting="local-p", window=D).double()
    load_weights(alignment.key_projection, W_a.T)
    load_weights(alignment.position[0], W_p.T)
    load_weights(alignment.position[2], v_p[:, None])
    weights = alignment(torch.from_numpy(h_t)[None], torch.from_numpy(h)[None])[1][0].detach()
    for t in range(2):
        scores = np.array([h_t[t] @ W_a @ h[s] for s in range(S)])
        p_t = papers_attention.predicted_position(h_t[t], W_p, v_p, S)
        np.testing.assert_allclose(weights[t], papers_attention.local_weights(scores, p_t, D), atol=ATOL)


@pytest.mark.proves("szegedy2016")
@few_examples
@given(seeds, lengths, st.integers(2, 6), st.floats(0.0, 0.9))
def test_the_smoothed_loss_is_szegedy_s(seed: int, n: int, K: int, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    logits, labels = rng.normal(size=(n, K)), rng.integers(K, size=n)
    each = [
        papers_training.smoothed_cross_entropy(int(label), note.softmax(row), epsilon)
        for row, label in zip(logits, labels)
    ]
    ours = smoothed_cross_entropy(torch.from_numpy(logits), torch.from_numpy(labels), epsilon)
    np.testing.assert_allclose(ours, np.mean(each), atol=ATOL)


@pytest.mark.proves("vaswani2017")
@few_examples
@given(st.integers(1, 500), st.integers(1, 200), st.integers(1, 1024))
def test_the_inverse_root_schedule_is_vaswani_s_divided_by_its_peak(
    step: int, warmup_steps: int, d_model: int
) -> None:
    """The library's first step is 0 and the paper's 1."""
    peak = papers_training.warm_up_rate(warmup_steps, d_model, warmup_steps)
    factor = learning_rate_factor("inverse-sqrt", step - 1, steps=500, warmup_steps=warmup_steps)
    expected = papers_training.warm_up_rate(step, d_model, warmup_steps)
    np.testing.assert_allclose(peak * factor, expected, rtol=1e-12)


@pytest.mark.proves("wu2016")
@few_examples
@given(st.integers(0, 200), st.floats(0.0, 2.0))
def test_the_length_penalty_is_wu_s(length: int, alpha: float) -> None:
    expected = papers_training.length_penalty(length, alpha)
    np.testing.assert_allclose(length_penalty_factor(length, alpha), expected, rtol=1e-12)


class Table(SequenceModel):
    """Fixed logits after each token."""

    def __init__(self, table: np.ndarray) -> None:
        super().__init__()
        self.table, self.vocab_size = torch.from_numpy(table), len(table)

    def logits(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.table[tokens]


@pytest.mark.proves("hinton2015")
@pytest.mark.parametrize("T", [0.4, 2.0])
def test_samples_have_the_frequencies_of_hinton_s_temperature(T: float) -> None:
    z = np.array([1.0, 0.0, -1.0])
    model, nothing = Table(np.tile(z, (3, 1))), torch.empty(4000, 0, dtype=torch.long)
    generator = torch.Generator().manual_seed(0)
    drawn = generate(model, nothing, 1, temperature=T, generator=generator)
    counts = torch.bincount(drawn[:, 0], minlength=3).numpy()
    expected = 4000 * papers_decoding.tempered(z, T)
    assert ((counts - expected) ** 2 / expected).sum() < 13.8  # chi squared, 2 degrees of freedom: 0.001


@pytest.mark.proves("fan2018")
@few_examples
@given(seeds, st.integers(1, 6))
def test_the_top_k_filter_is_fan_s(seed: int, k: int) -> None:
    z = np.random.default_rng(seed).normal(size=6)
    ours = top_k_filter(torch.from_numpy(z), k).softmax(-1)
    np.testing.assert_allclose(ours, papers_decoding.top_k(note.softmax(z), k), atol=ATOL)


@pytest.mark.proves("holtzman2020")
@few_examples
@given(seeds, st.floats(0.05, 0.99))
def test_the_top_p_filter_is_holtzman_s(seed: int, threshold: float) -> None:
    z = np.random.default_rng(seed).normal(size=6)
    ours = top_p_filter(torch.from_numpy(z), threshold).softmax(-1)
    np.testing.assert_allclose(ours, papers_decoding.nucleus(note.softmax(z), threshold), atol=ATOL)


@pytest.mark.proves("sutskever2014")
@few_examples
@given(seeds, st.integers(1, 5), st.integers(1, 5), st.sampled_from([0.0, 0.6, 1.0]))
def test_the_beam_search_is_sutskever_s_with_wu_s_penalty(
    seed: int, B: int, longest: int, alpha: float
) -> None:
    table = 2 * np.random.default_rng(seed).normal(size=(4, 4))
    log_p = np.log([note.softmax(row) for row in table])
    expected, score = papers_decoding.beam_search(
        lambda Y: log_p[Y[-1] if Y else 0], B, end=0, longest=longest, alpha=alpha
    )
    ours = beam_search(Table(table), longest, end_token=0, batch_size=1, n_beams=B, length_penalty=alpha)
    assert tuple(ours.sequences[0, 0, : ours.lengths[0, 0]].tolist()) == expected
    np.testing.assert_allclose(ours.log_probs[0, 0], score, atol=ATOL)


def macaron_block(theta: note.BlockParameters, first: note.BlockParameters, norm: str) -> TransformerBlock:
    (H, d, k), m = theta.W_q.shape, theta.W_1.shape[1]
    block = made_block(d, H, m, d_head=k, norm=norm, activation="relu", eps=0.0, macaron=True).double()
    load_note_matrices(block.attention, *theta[:4])
    load_feed_forward(block.first_feed_forward, block.first_feed_forward_norm, first)
    load_feed_forward(block.feed_forward, block.feed_forward_norm, theta)
    load_norm(block.attention_norm, theta.gamma_1, theta.beta_1)
    return block


def normalized(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    return np.array([note.layer_norm(x_i, gamma, beta) for x_i in x])


def load_norm(module: LayerNorm, gamma: np.ndarray, beta: np.ndarray) -> None:
    with torch.no_grad():
        module.gain.copy_(torch.from_numpy(gamma))
        module.bias.copy_(torch.from_numpy(beta))


def load_feed_forward(module: FeedForward, norm: LayerNorm, theta: note.BlockParameters) -> None:
    load_weights(module.up, theta.W_1)
    load_weights(module.down, theta.W_2)
    load_norm(norm, theta.gamma_2, theta.beta_2)


@pytest.mark.proves("kaplan2020")
@pytest.mark.parametrize(("d", "k", "m", "H", "L"), [(16, 4, 64, 4, 2), (12, 5, 20, 3, 1)])
def test_kaplan_s_count_is_the_blocks_matrices(d: int, k: int, m: int, H: int, L: int) -> None:
    config = TransformerConfig(
        vocab_size=7, context_length=9, d_model=d, d_head=k, d_ff=m, n_heads=H, n_layers=L
    )
    counts = accounting.parameter_counts(config)
    N = papers_training.non_embedding_parameters(d, H * k, m, L)
    assert counts["attention"] + counts["networks"] == N
    matrices = [p for p in DecoderLM(config).stack.blocks.parameters() if p.dim() == 2]
    assert sum(p.numel() for p in matrices) == N


@pytest.mark.proves("kaplan2020")
@pytest.mark.parametrize("n", [1, 9, 40])
def test_kaplan_s_operations_are_ours_with_half_of_the_pairs_and_no_head(n: int) -> None:
    config = TransformerConfig(vocab_size=7, context_length=64, d_model=16, n_heads=4, n_layers=2)
    N = papers_training.non_embedding_parameters(16, 16, 64, 2)
    ours = accounting.forward_flops(config, n)
    blocks = ours["projections"] + ours["networks"] + ours["scores and mixing"] // 2
    assert n * papers_training.forward_flops_per_token(N, 2, n, 16) == blocks


@pytest.mark.proves("rajbhandari2020")
@pytest.mark.parametrize("workers", [1, 2, 8])
def test_a_whole_and_a_sharded_state_are_the_first_and_the_last_stage(workers: int) -> None:
    """With weights and gradients of four bytes and moments of eight, the sum is the same sixteen bytes."""
    for sharded, stage in ((False, 0), (True, 3)):
        ours = accounting.state_bytes(1000, workers=workers, sharded=sharded)
        assert sum(ours.values()) == papers_training.zero_bytes(1000, workers, 12, stage)
