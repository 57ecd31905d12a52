"""Each worker weighs its own, then the mean, part by part."""

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
