"""Random inputs for the tests of the equations: shapes drawn by hypothesis, entries from a seed."""

from dataclasses import dataclass

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from transformer_lib.equations import note

few_examples = settings(max_examples=25)
seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(1, 6)
widths = st.integers(2, 5)


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
