"""What several questions on attention forbid, and the masks that they draw."""

import numpy as np
import torch
from autograder.authoring import normal

FUSED = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
)


def winners(rng):
    """Scores of thousands, of both signs, in which one key of each row is far ahead of the others."""
    for least in (2, 1, 2):
        batch = int(rng.integers(2, 4)) if least > 1 else 1
        queries, keys = int(rng.integers(2, 5)), int(rng.integers(3, 7))
        d_key, d_value = (int(rng.integers(least, 6)) for _ in range(2))
        level = 30.0 + 8.0 * torch.from_numpy(rng.permuted(np.tile(np.arange(keys), (batch, 1)), axis=1))
        side = torch.from_numpy(rng.permuted(np.tile(np.arange(queries) % 2, (batch, 1)), axis=1))
        yield {
            "query": torch.cat(
                [normal(rng, batch, queries, d_key), (200.0 * side - 100.0)[..., None]], -1
            ).float(),
            "key": torch.cat([normal(rng, batch, keys, d_key), level[..., None]], -1).float(),
            "value": normal(rng, batch, keys, d_value),
        }


def masked(rng, case):
    """The case with a mask: every query may attend to something, and not to everything of several keys."""
    shape = (*case["query"].shape[:2], case["key"].shape[1])
    allowed = torch.from_numpy(rng.random(shape) < 0.5)
    allowed[..., 0] = ~allowed[..., 1:].any(-1)
    return {**case, "allowed": allowed}
