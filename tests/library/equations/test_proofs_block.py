"""What today's models changed is, in the library, what the papers say, in float64 to 1e-10."""

import numpy as np
import pytest
import torch
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st
from loaded_modules import load_weights

from transformer_lib.equations import papers_block
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.block import GatedFeedForward, RMSNorm
from transformer_lib.transformer.masks import Mask

ATOL = 1e-10


@pytest.mark.proves("zhang2019")
@few_examples
@given(seeds, lengths, widths)
def test_the_rms_normalization_is_zhang_and_sennrich_s(seed: int, n: int, d: int) -> None:
    z, g = normal(seed, (n, d), (d,))
    module = RMSNorm(d, eps=0.0).double()
    with torch.no_grad():
        module.gain.copy_(torch.from_numpy(g))
        ours = module(torch.from_numpy(z))
    np.testing.assert_allclose(ours, [papers_block.rms_norm(z_i, g) for z_i in z], atol=ATOL)


@pytest.mark.proves("shazeer2020")
@few_examples
@given(seeds, lengths, widths, lengths)
def test_the_gated_network_with_silu_is_shazeer_s_swiglu(seed: int, n: int, d: int, m: int) -> None:
    x, W, V, W_2 = normal(seed, (n, d), (d, m), (d, m), (m, d))
    module = GatedFeedForward(d, m, bias=False, activation="silu").double()
    load_weights(module.gate, W)
    load_weights(module.up, V)
    load_weights(module.down, W_2)
    ours = module(torch.from_numpy(x)).detach()
    np.testing.assert_allclose(ours, [papers_block.ffn_swiglu(x_i, W, V, W_2) for x_i in x], atol=ATOL)


@pytest.mark.proves("shazeer2019")
@few_examples
@given(seeds, lengths, lengths, widths, st.integers(1, 4))
def test_one_head_of_keys_and_values_is_shazeer_s_multi_query_attention(
    seed: int, n: int, m: int, d: int, H: int
) -> None:
    """The paper leaves the scaling to the projection of the queries."""
    k, v = 3, 2
    X, M, P_q, P_k, P_v, P_o = normal(seed, (n, d), (m, d), (H, d, k), (d, k), (d, v), (H, d, v))
    module = grouped(P_q * np.sqrt(k), P_k[None], P_v[None], np.swapaxes(P_o, 1, 2))
    ours = module(torch.from_numpy(X)[None], torch.from_numpy(M)[None])[0].detach()
    np.testing.assert_allclose(ours, papers_block.multi_query_attention(X, M, P_q, P_k, P_v, P_o), atol=ATOL)


@pytest.mark.proves("ainslie2023")
@few_examples
@given(seeds, lengths, widths, st.integers(1, 3), st.integers(1, 3))
def test_shared_keys_and_values_are_ainslie_s_groups(seed: int, n: int, d: int, G: int, share: int) -> None:
    H, k, v = G * share, 3, 2
    x, *theta = normal(seed, (n, d), (H, d, k), (G, d, k), (G, d, v), (H, v, d))
    ours = grouped(*theta)(torch.from_numpy(x)[None], mask=Mask.causal())[0].detach()
    np.testing.assert_allclose(ours, papers_block.grouped_query_attention(x, *theta), atol=ATOL)


def grouped(W_q: np.ndarray, W_k: np.ndarray, W_v: np.ndarray, W_c: np.ndarray) -> MultiHeadAttention:
    (H, d, k), (G, _, v) = W_q.shape, W_v.shape
    module = MultiHeadAttention(d, H, n_kv_heads=G, d_head=k, d_value=v).double()
    load_weights(module.qkv, np.concatenate([part for W in (W_q, W_k, W_v) for part in W], axis=1))
    load_weights(module.output, np.concatenate(list(W_c)))
    return module
