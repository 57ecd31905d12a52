"""Right answers to question 14.6."""


# %% vectors: All guesses at once, and the first that is refused; a distribution for each place.
def speculate(guesses, draft, target, uniforms):
    gamma = len(guesses)
    places = torch.arange(gamma)
    keep = (target[places, guesses] / draft[places, guesses]).clamp(max=1)
    ok = uniforms[:gamma] < keep
    n = int(ok.long().cumprod(0).sum())
    left = torch.relu(target[:gamma] - draft)
    own = torch.cat([left / left.sum(1, keepdim=True), target[gamma:]])[n]
    token = int((own.cumsum(0) <= uniforms[gamma]).sum())
    return guesses[:n].tolist() + [token]


def expected_length(draft, target):
    both = (draft + target[: len(draft)] - (draft - target[: len(draft)]).abs()) / 2
    chances = torch.cat([torch.ones(1, dtype=draft.dtype), both.sum(1)])
    return float(chances.cumprod(0).sum())


# %% lists: Plain Python, with a recursion for the length.
def speculate(guesses, draft, target, uniforms):
    def draw(weights, u):
        total, so_far = sum(weights), 0.0
        for token, weight in enumerate(weights):
            so_far += weight
            if so_far > u * total:
                return token
        return len(weights) - 1

    written, u = [], uniforms.tolist()
    for y, q, p, number in zip(guesses.tolist(), draft.tolist(), target.tolist(), u):
        if number < p[y] / q[y]:
            written.append(y)
        else:
            return written + [draw([max(0.0, a - b) for a, b in zip(p, q)], u[-1])]
    return written + [draw(target[-1].tolist(), u[-1])]


def expected_length(draft, target):
    if len(draft) == 0:
        return 1.0
    kept = sum(min(a, b) for a, b in zip(draft[0].tolist(), target[0].tolist()))
    return 1.0 + kept * expected_length(draft[1:], target[1:])


# %% arrays: NumPy, with a binary search in the sums; the length from the chance of each number of tokens.
def speculate(guesses, draft, target, uniforms):
    y, q, p, u = (np.asarray(given) for given in (guesses, draft, target, uniforms))
    i = np.arange(len(y))
    refused = np.flatnonzero(u[:-1] * q[i, y] >= p[i, y])
    n = refused[0] if len(refused) else len(y)
    own = np.maximum(p[n] - q[n], 0) if n < len(y) else p[n]
    sums = np.cumsum(own / own.sum())
    return [*y[:n], np.searchsorted(sums, u[-1], side="right")]


def expected_length(draft, target):
    q, p = np.asarray(draft, dtype=np.float64), np.asarray(target, dtype=np.float64)
    refused = np.maximum(p[:-1] - q, 0).sum(1)
    chance, mean = 1.0, 0.0
    for n, r in enumerate(refused, start=1):
        mean += n * chance * r
        chance *= 1 - r
    return mean + chance * (len(q) + 1)
