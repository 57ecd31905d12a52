"""Running means written out as weighted sums."""


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
