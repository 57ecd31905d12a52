"""The library's attention is the sources' attention, in float64 to 1e-10."""

import numpy as np
import pytest
import torch
from equation_cases import BlockCase, block_cases, causal_heads, few_examples, lengths, normal, seeds
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import garcia, note, slides, stratos, tx
from transformer_lib.transformer.attention import MultiHeadAttention, attention, attention_weights
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.note_matrices import load_note_matrices, note_matrices

ATOL = 1e-10


def multi_head_attention(theta: note.BlockParameters) -> MultiHeadAttention:
    H, d, k = theta.W_q.shape
    module = MultiHeadAttention(d, H, d_head=k).double()
    load_note_matrices(module, theta.W_q, theta.W_k, theta.W_v, theta.W_c)
    return module


def to_torch(*arrays: np.ndarray) -> list[torch.Tensor]:
    return [torch.from_numpy(array) for array in arrays]


@pytest.mark.proves("N1", "N2", "S7", "S8", "K12", "K13")
@few_examples
@given(block_cases())
def test_the_module_s_weights_are_the_note_s(case: BlockCase) -> None:
    Q, K, _ = note.queries_keys_values(case.x, *case.theta[:3])
    (x,) = to_torch(case.x)
    weights = multi_head_attention(case.theta).weights(x[None])[0]
    np.testing.assert_allclose(weights.detach(), note.attention_weights(Q, K), atol=ATOL)
    scores = stratos.attention_scores(
        *(stratos.project(case.x, W.transpose(0, 2, 1)) for W in (case.theta.W_q, case.theta.W_k))
    )
    by_stratos = np.array([[note.softmax(row) for row in head] for head in scores])
    np.testing.assert_allclose(weights.detach(), by_stratos, atol=ATOL)


@pytest.mark.proves("N1", "N2", "N3", "S7", "S8", "S9")
@few_examples
@given(block_cases())
def test_the_module_s_output_is_the_note_s_sum_over_heads(case: BlockCase) -> None:
    Q, K, V = note.queries_keys_values(case.x, *case.theta[:3])
    u_prime = note.combined_heads(note.attention_weights(Q, K), V, case.theta.W_c)
    (x,) = to_torch(case.x)
    module = multi_head_attention(case.theta)
    np.testing.assert_allclose(module(x[None])[0].detach(), u_prime, atol=ATOL)
    read_back = [torch.stack(matrices).numpy() for matrices in note_matrices(module).values()]
    for ours, theirs in zip(read_back, case.theta[:4]):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.proves("T1", "T2", "T3", "K12", "K13", "K14", "K15")
@few_examples
@given(block_cases(), seeds, lengths)
def test_the_module_s_cross_attention_is_the_article_s_and_stratos_s(
    case: BlockCase, seed: int, m: int
) -> None:
    H, k, d = case.theta.W_c.shape
    (y,) = normal(seed, (m, d))
    x_torch, y_torch = to_torch(case.x, y)
    output = multi_head_attention(case.theta)(x_torch[None], y_torch[None])[0].detach()
    by_tx = tx.multi_head_attention(case.x, y, y, *case.theta[:3], case.theta.W_c.reshape(H * k, d))
    by_stratos = stratos.multi_head_attention(case.x, y, *(W.transpose(0, 2, 1) for W in case.theta[:4]))
    np.testing.assert_allclose(output, by_tx, atol=ATOL)
    np.testing.assert_allclose(output, by_stratos, atol=ATOL)


@pytest.mark.proves("T1", "T2", "T3", "T4")
@few_examples
@given(seeds, lengths, lengths, st.integers(1, 3), lengths, lengths)
def test_values_may_have_a_width_of_their_own_as_in_the_article(
    seed: int, N: int, M: int, h: int, D_k: int, D_v: int
) -> None:
    """Attention over itself, over another sequence, and causally from a cache."""
    D_m = 4
    x, y, W_Q, W_K, W_V, W_O = normal(
        seed, (N, D_m), (M, D_m), (h, D_m, D_k), (h, D_m, D_k), (h, D_m, D_v), (h * D_v, D_m)
    )
    module = MultiHeadAttention(D_m, h, d_head=D_k, d_value=D_v).double()
    load_note_matrices(module, W_Q, W_K, W_V, W_O.reshape(h, D_v, D_m))
    queries, context = (sequence[None] for sequence in to_torch(x, y))
    by_itself = tx.multi_head_attention(x, x, x, W_Q, W_K, W_V, W_O)
    np.testing.assert_allclose(module(queries)[0].detach(), by_itself, atol=ATOL)
    by_tx = tx.multi_head_attention(x, y, y, W_Q, W_K, W_V, W_O)
    for given_as in (context, module.keys_values(context)):
        np.testing.assert_allclose(module(queries, given_as)[0].detach(), by_tx, atol=ATOL)
    causal = [tx.masked_self_attention(x @ W_Q[i], x @ W_K[i], x @ W_V[i]) for i in range(h)]
    cache = module.new_cache(1, N)
    with torch.no_grad():
        steps = [module(queries[:, [t]], mask=Mask.causal(), cache=cache)[0] for t in range(N)]
    np.testing.assert_allclose(torch.cat(steps), np.concatenate(causal, axis=1) @ W_O, atol=ATOL)
    read_back = [torch.stack(matrices).numpy() for matrices in note_matrices(module).values()]
    for ours, theirs in zip(read_back, (W_Q, W_K, W_V, W_O.reshape(h, D_v, D_m))):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.proves("T1")
@few_examples
@given(seeds, lengths, lengths, lengths, lengths)
def test_both_paths_of_attention_are_the_article_s(seed: int, N: int, M: int, D_k: int, D_v: int) -> None:
    Q, K, V = normal(seed, (N, D_k), (M, D_k), (M, D_v))
    q, k, v = to_torch(Q, K, V)
    expected = tx.scaled_dot_product_attention(Q, K, V)
    np.testing.assert_allclose(attention(q, k, v), expected, atol=ATOL)
    np.testing.assert_allclose(attention_weights(q, k) @ v, expected, atol=ATOL)
    np.testing.assert_allclose(
        attention_weights(q, k), tx.attention_matrix(tx.scaled_scores(Q, K)), atol=ATOL
    )


@pytest.mark.proves("G5")
@few_examples
@given(seeds, lengths, lengths, lengths)
def test_attention_with_scale_one_is_garcia_s(seed: int, T_q: int, T_k: int, d: int) -> None:
    Q, K, V = normal(seed, (T_q, d), (T_k, d), (T_k, d))
    q, k, v = to_torch(Q, K, V)
    expected = garcia.self_attention(Q, K, V)
    np.testing.assert_allclose(attention(q, k, v, scale=1.0), expected, atol=ATOL)
    np.testing.assert_allclose(attention_weights(q, k, scale=1.0) @ v, expected, atol=ATOL)


@pytest.mark.proves("G6")
@few_examples
@given(block_cases())
def test_garcia_s_right_multiplication_is_the_module_s_projection(case: BlockCase) -> None:
    x, W_Q, W_K, W_V = case.x, case.theta.W_q[0], case.theta.W_k[0], case.theta.W_v[0]
    by_garcia = garcia.self_attention(
        garcia.project(x, W_Q) / np.sqrt(W_Q.shape[1]), garcia.project(x, W_K), garcia.project(x, W_V)
    )
    d, k = W_Q.shape
    module = MultiHeadAttention(d, 1, d_head=k).double()
    load_note_matrices(module, [W_Q], [W_K], [W_V], [case.theta.W_c[0]])
    (x_torch,) = to_torch(x)
    expected = garcia.project(by_garcia, case.theta.W_c[0])
    np.testing.assert_allclose(module(x_torch[None])[0].detach(), expected, atol=ATOL)


@pytest.mark.proves("T4")
@few_examples
@given(seeds, lengths, lengths)
def test_the_causal_mask_is_minus_infinity_on_the_scores_of_later_keys(seed: int, N: int, D_k: int) -> None:
    Q, K, V = normal(seed, (N, D_k), (N, D_k), (N, 3))
    q, k, v = to_torch(Q, K, V)
    weights = tx.attention_matrix(tx.causal_scores(tx.scaled_scores(Q, K)))
    np.testing.assert_allclose(attention_weights(q, k, Mask.causal()), weights, atol=ATOL)
    np.testing.assert_allclose(
        attention(q, k, v, Mask.causal()), tx.masked_self_attention(Q, K, V), atol=ATOL
    )


@pytest.mark.proves("T4")
@few_examples
@given(seeds, lengths, lengths)
def test_any_mask_that_leaves_each_query_a_key_is_minus_infinity_on_scores(seed: int, N: int, M: int) -> None:
    Q, K, V = normal(seed, (N, 3), (M, 3), (M, 2))
    may_attend = np.random.default_rng(seed).random((N, M)) < 0.5
    may_attend[:, 0] = True
    q, k, v, dense = to_torch(Q, K, V, may_attend)
    weights = tx.attention_matrix(tx.masked_scores(tx.scaled_scores(Q, K), may_attend))
    np.testing.assert_allclose(attention_weights(q, k, Mask.from_dense(dense)), weights, atol=ATOL)
    np.testing.assert_allclose(attention(q, k, v, Mask.from_dense(dense)), weights @ V, atol=ATOL)


@pytest.mark.proves("S6")
@few_examples
@given(block_cases())
def test_the_masked_prefix_is_the_module_run_on_a_zeroed_input(case: BlockCase) -> None:
    module = multi_head_attention(case.theta)

    def f(x: np.ndarray) -> np.ndarray:
        Q, K, V = note.queries_keys_values(x, *case.theta[:3])
        return note.combined_heads(note.attention_weights(Q, K), V, case.theta.W_c)

    for t in range(len(case.x)):
        (x,) = to_torch(case.x.copy())
        x[t:] = 0.0
        np.testing.assert_allclose(module(x[None])[0].detach(), slides.masked_prefix(f, case.x, t), atol=ATOL)


@pytest.mark.proves("S6", "T4")
@few_examples
@given(block_cases())
def test_a_masked_prefix_whose_zeros_leave_the_softmax_is_causal_attention_one_step_back(
    case: BlockCase,
) -> None:
    """With zeros in the softmax the two differ; without them, row t - 1 of step t is causal row t - 1."""
    (x,) = to_torch(case.x)
    module, p = multi_head_attention(case.theta), len(case.x)
    causal = causal_heads(case.x, case.theta)
    for t in range(1, p + 1):
        prefix = torch.from_numpy(slides.prefix_mask(t, p))
        masked = (prefix[:, None] * x)[None]
        without_zeros = module(masked, mask=Mask.from_dense(prefix[None, :].bool()))[0].detach()
        np.testing.assert_allclose(without_zeros[t - 1], causal[t - 1], atol=ATOL)
