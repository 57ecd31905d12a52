"""Sums over targets first, one division at the end."""

def reduce_scatter(gradients, tokens):
    sums = [g * t for g, t in zip(gradients, tokens) if t > 0]
    n_workers, n = len(tokens), len(gradients[0])
    whole = sum(sums) / sum(tokens) if sums else np.zeros(n)
    length = math.ceil(n / n_workers)
    padded = np.pad(whole, (0, length * n_workers - n))
    return [padded[i * length : (i + 1) * length] for i in range(n_workers)]
