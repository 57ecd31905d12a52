"""What several questions on memories forbid, and memories whose scores are far apart."""

import torch
from autograder.authoring import normal, sizes

FUSED = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention",
)
AXES = {"batch": 3, "states": 4, "patterns": 5, "d": 6}


def a_memory(rng, batch, states, patterns, d, beta=None, state_scale=1.0, pattern_scale=1.0):
    return {
        "state": normal(rng, batch, states, d, scale=state_scale),
        "patterns": normal(rng, batch, patterns, d, scale=pattern_scale),
        "beta": float(rng.uniform(0.5, 1.5)) if beta is None else beta,
    }


def memories(rng):
    """At last tiny states, tiny patterns and large ones of both, with a temperature that fits."""
    for shape in sizes(rng, **AXES, far={"patterns": 110}):
        yield a_memory(rng, *shape)
    for beta, state_scale, pattern_scale in (
        (800.0, 1e-3, 1.0),
        (1500.0, 1.0, 6e-4),
        (4e-4, 40.0, 30.0),
    ):
        yield a_memory(rng, 2, 3, 4, 5, beta, state_scale, pattern_scale)


def leaning(rng, batch, states, patterns, d, beta=1500.0):
    """Scores of thousands, all of one sign in each row, no two of a row close."""
    signs = torch.ones(batch * states)
    signs[int(rng.integers(0, 2)) :: 2] = -1.0
    gap = 0.0
    while gap < 0.02:
        state = normal(rng, batch, states, d)
        state[:, :, -1] = (2.0 + state[:, :, -1].abs()) * signs.view(batch, states)
        stored = normal(rng, batch, patterns, d)
        stored[:, :, -1] = 4.0 + stored[:, :, -1]
        ordered = (state @ stored.mT).sort(-1).values
        gap = float(ordered.diff(dim=-1).min()) if patterns > 1 else 1.0
    return {"state": state, "patterns": stored, "beta": beta}
