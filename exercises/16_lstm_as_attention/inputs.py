"""What several questions on gates draw."""

import numpy as np
import torch


def gates(rng, *shape, low=0.0, high=1.0):
    """Uniform numbers between two ends, as a float32 tensor."""
    return torch.from_numpy(rng.uniform(low, high, shape).astype(np.float32))
