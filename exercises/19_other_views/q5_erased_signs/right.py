"""Right answers to question 19.5."""


# %% torch: PyTorch in float64, and signs compared.
def measure(patterns, states, beta):
    stored, asked = torch.from_numpy(patterns).double(), torch.from_numpy(states).double()
    weights = torch.softmax(beta * asked @ stored.T, dim=1)
    updated = weights @ stored
    own = weights.diagonal()
    right = (updated.sign() == stored.sign()) & (stored != 0) & (updated != 0)
    return {"back": (own > 0.5).sum(), "signs": right.double().mean()}


report = {"seed": 7, "back": 780, "signs": 0.97246}


# %% loops: State by state, with the own weight as one over a sum.
def measure(patterns, states, beta):
    back, right = 0, 0
    for pattern, state in zip(patterns, states):
        scores = beta * patterns @ state
        own = beta * pattern @ state
        top = scores.max()
        powers = np.exp(scores - top)
        back += math.exp(own - top) > 0.5 * powers.sum()
        updated = powers @ patterns
        right += np.count_nonzero(updated * pattern > 0)
    return {"back": back, "signs": right / patterns.size}


report = {"seed": 0, "back": 784, "signs": 0.9735}
