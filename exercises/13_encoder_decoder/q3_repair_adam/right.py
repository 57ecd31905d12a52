"""Right answers to question 13.3."""


# %% sums: Running means written out as weighted sums.
def adam_path(gradients, rates, beta_1, beta_2, eps):
    moves = []
    for t in range(1, len(gradients) + 1):
        age = np.arange(t - 1, -1, -1)[:, None]
        seen = gradients[:t]
        first, second = (
            ((1 - beta) * (float(beta) ** age) * x).sum(0) / (1 - beta**t)
            for beta, x in ((beta_1, seen), (beta_2, seen**2))
        )
        moves.append(-rates[t - 1] * first / (second**0.5 + eps))
    return np.cumsum(moves, axis=0)


# %% torch: The same loop with tensors.
def adam_path(gradients, rates, beta_1, beta_2, eps):
    g = torch.as_tensor(gradients)
    m, v, theta = torch.zeros(3, g.shape[1], dtype=g.dtype)
    path = []
    for t in range(len(g)):
        m = torch.lerp(g[t], m, float(beta_1))
        v = torch.lerp(g[t].square(), v, float(beta_2))
        root = (v / (1 - beta_2 ** (t + 1))).sqrt()
        theta = theta - float(rates[t]) * m / (1 - beta_1 ** (t + 1)) / (root + eps)
        path.append(theta)
    return torch.stack(path)
