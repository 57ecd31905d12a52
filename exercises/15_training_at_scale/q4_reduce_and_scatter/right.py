"""Right answers to question 15.4."""


# %% average: Sums over targets first, one division at the end.
def reduce_scatter(gradients, tokens):
    sums = [g * t for g, t in zip(gradients, tokens) if t > 0]
    n_workers, n = len(tokens), len(gradients[0])
    whole = sum(sums) / sum(tokens) if sums else np.zeros(n)
    length = math.ceil(n / n_workers)
    padded = np.pad(whole, (0, length * n_workers - n))
    return [padded[i * length : (i + 1) * length] for i in range(n_workers)]


# %% torch: Stacked in PyTorch, with NaN replaced.
def reduce_scatter(gradients, tokens):
    stacked = torch.tensor(np.stack(gradients))
    weights = torch.tensor(tokens, dtype=torch.float64)
    weights = weights / weights.sum().clamp(min=1)
    stacked = torch.where(weights[:, None] > 0, stacked, 0.0)
    whole = (weights[:, None] * stacked).sum(0)
    rest = -len(whole) % len(tokens)
    whole = torch.nn.functional.pad(whole, (0, rest))
    return list(whole.chunk(len(tokens)))


# %% workers: Each worker weighs its own, then the mean, part by part.
def reduce_scatter(gradients, tokens):
    n_workers, n, total = len(tokens), len(gradients[0]), sum(tokens)
    length = (n + n_workers - 1) // n_workers
    parts = []
    for rank in range(n_workers):
        part = np.zeros(length)
        for place in range(rank * length, min((rank + 1) * length, n)):
            part[place - rank * length] = sum(
                g[place] * t / total for g, t in zip(gradients, tokens) if t
            )
        parts.append(part)
    return parts
