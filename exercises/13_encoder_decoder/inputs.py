"""Whole numbers, and a path of Adam, for several questions."""

import numpy as np


def whole(rng, low, high):
    return int(rng.integers(low, high))


def adam_path(gradients, rates, beta_1, beta_2, eps):
    steps, size = gradients.shape
    path = np.zeros((steps, size))
    for i in range(size):
        m, v, theta = 0.0, 0.0, 0.0
        for t in range(1, steps + 1):
            g = gradients[t - 1, i]
            m = beta_1 * m + (1 - beta_1) * g
            v = beta_2 * v + (1 - beta_2) * g * g
            theta -= rates[t - 1] * (m / (1 - beta_1**t)) / ((v / (1 - beta_2**t)) ** 0.5 + eps)
            path[t - 1, i] = theta
    return path
