"""Loops over batch and queries, float64."""

import math


def attention(query, key, value, mask):
    output = torch.zeros(query.shape[0], query.shape[1], value.shape[2], dtype=torch.float64)
    for b in range(query.shape[0]):
        for i in range(query.shape[1]):
            total = 0.0
            for j in range(key.shape[1]):
                if mask[i, j]:
                    w = math.exp(float(query[b, i] @ key[b, j]) / math.sqrt(query.shape[2]))
                    total += w
                    output[b, i] += w * value[b, j].double()
            if total > 0:
                output[b, i] /= total
    return output
