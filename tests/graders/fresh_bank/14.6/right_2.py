# question 14.6
import numpy as np


def speculate(guesses, draft, target, uniforms):
    y = guesses.numpy()
    p = target.detach().numpy().astype(np.float64)
    q = draft.detach().numpy().astype(np.float64)
    u = uniforms.numpy().astype(np.float64)
    gamma = len(y)

    # guess i is kept if u q < p, which needs no division
    places = np.arange(gamma)
    kept = u[:gamma] * q[places, y] < p[places, y]
    n = gamma if kept.all() else int(np.argmin(kept))

    own = p[n] if n == gamma else np.maximum(p[n] - q[n], 0.0)
    sums = np.cumsum(own)
    token = int(np.searchsorted(sums, u[-1] * sums[-1], side="right"))
    return [int(guess) for guess in y[:n]] + [min(token, len(own) - 1)]


def expected_length(draft, target):
    # from the back: a pass writes one token, and if the guess is kept, more
    length = 1.0
    for q, p in reversed(list(zip(draft, target))):
        length = 1.0 + float(torch.min(p, q).sum()) * length
    return length
