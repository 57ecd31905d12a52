"""Random inputs for the tests of the equations: shapes drawn by hypothesis, entries from a seed."""

from dataclasses import dataclass

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from transformer_lib.equations import note, stratos, stratos_model, tx

few_examples = settings(max_examples=25)
seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(1, 6)
widths = st.integers(2, 5)


def normal(seed: int, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    """Arrays of independent standard normal numbers."""
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


@dataclass(frozen=True)
class BlockCase:
    """An input of the note's block, and the block's parameters."""

    x: np.ndarray
    theta: note.BlockParameters


@st.composite
def block_cases(draw: st.DrawFn, *, vector_norms: bool | None = None) -> BlockCase:
    """Blocks of every small shape, of length 1, one head and unequal d, k, m included."""
    rng = np.random.default_rng(draw(seeds))
    p, d, k, m, H = draw(lengths), draw(widths), draw(lengths), draw(lengths), draw(st.integers(1, 3))
    vectors = draw(st.booleans()) if vector_norms is None else vector_norms
    x = rng.normal(size=(p, d))
    return BlockCase(x, random_theta(rng, d, k, m, H, vectors=vectors))


def random_theta(
    rng: np.random.Generator, d: int, k: int, m: int, H: int, *, vectors: bool = False
) -> note.BlockParameters:
    def norm_parameter() -> float | np.ndarray:
        return rng.normal(size=d) if vectors else float(rng.normal())

    return note.BlockParameters(
        W_q=rng.normal(size=(H, d, k)),
        W_k=rng.normal(size=(H, d, k)),
        W_v=rng.normal(size=(H, d, k)),
        W_c=rng.normal(size=(H, k, d)),
        gamma_1=norm_parameter(),
        beta_1=norm_parameter(),
        W_1=rng.normal(size=(d, m)),
        W_2=rng.normal(size=(m, d)),
        gamma_2=norm_parameter(),
        beta_2=norm_parameter(),
    )


def causal_heads(x: np.ndarray, theta: note.BlockParameters) -> np.ndarray:
    """The note's (1) to (3) with the article's causal scores in place of its own."""
    Q, K, V = note.queries_keys_values(x, theta.W_q, theta.W_k, theta.W_v)
    scores = [tx.causal_scores(tx.scaled_scores(Q_h, K_h)) for Q_h, K_h in zip(Q, K)]
    return note.combined_heads(np.array([tx.attention_matrix(A) for A in scores]), V, theta.W_c)


def causal_block(x: np.ndarray, theta: note.BlockParameters) -> np.ndarray:
    """The note's block with the article's causal scores in place of its own."""
    u = note.residual_layer_norm(x, causal_heads(x, theta), theta.gamma_1, theta.beta_1)
    return note.residual_layer_norm(
        u, note.feed_forward(u, theta.W_1, theta.W_2), theta.gamma_2, theta.beta_2
    )


def random_attention(rng: np.random.Generator, d: int, H: int = 2, k: int = 3) -> stratos.AttentionParameters:
    inwards, outwards = (H, k, d), (H, d, k)
    return stratos.AttentionParameters(*(rng.normal(size=size) for size in (inwards,) * 3 + (outwards,)))


def random_norm(rng: np.random.Generator, d: int) -> stratos.NormParameters:
    return stratos.NormParameters(rng.normal(size=d), rng.normal(size=d))


def random_fat_relu(rng: np.random.Generator, d: int, d_ff: int = 5) -> stratos.FatReluParameters:
    sizes = ((d_ff, d), (d_ff,), (d, d_ff), (d,))
    return stratos.FatReluParameters(*(rng.normal(size=size) for size in sizes))


def random_encoder_layer(rng: np.random.Generator, d: int) -> stratos_model.EncoderLayer:
    return stratos_model.EncoderLayer(
        random_attention(rng, d), random_norm(rng, d), random_fat_relu(rng, d), random_norm(rng, d)
    )


def random_decoder_layer(rng: np.random.Generator, d: int) -> stratos_model.DecoderLayer:
    return stratos_model.DecoderLayer(
        random_attention(rng, d),
        random_norm(rng, d),
        random_attention(rng, d),
        random_norm(rng, d),
        random_fat_relu(rng, d),
        random_norm(rng, d),
    )
