"""NumPy inside, with a division that forgives empty rows."""

import numpy as np


def attention(query, key, value, mask):
    q, k, v = (tensor.numpy().astype(float) for tensor in (query, key, value))
    scores = np.where(mask.numpy(), q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2]), -1e30)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True)) * mask.numpy()
    return torch.from_numpy(weights @ v / np.maximum(weights.sum(axis=2, keepdims=True), 1e-300))
