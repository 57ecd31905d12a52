"""Right answers to question 05.5."""


# %% loops: Loops over pairs of steps and of sources.
def measure(alignments):
    pairs = crossed = rows = 0
    expected = bits = 0.0
    for weights in alignments:
        steps, sources = weights.shape
        for j in range(steps):
            rows += 1
            bits -= sum(w * math.log2(w) for w in weights[j] if w > 0)
            for later in range(j + 1, steps):
                pairs += 1
                first, second = list(weights[j]), list(weights[later])
                crossed += first.index(max(first)) > second.index(max(second))
                for a in range(sources):
                    for b in range(a):
                        expected += weights[j, a] * weights[later, b]
    return {"crossed": crossed / pairs, "expected": expected / pairs, "bits": bits / rows}


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% matrices: Matrix products with triangles, in torch.
def measure(alignments):
    total = torch.zeros(3, dtype=torch.float64)
    pairs, rows = 0, 0
    for array in alignments:
        a = torch.as_tensor(array, dtype=torch.float64)
        steps, sources = a.shape
        earlier = torch.ones(steps, steps).triu(1).bool()
        best = torch.tensor([int(row.argmax()) for row in np.asarray(array)])
        total[0] += (best[:, None] > best[None, :])[earlier].sum()
        behind = torch.ones(sources, sources, dtype=torch.float64).tril(-1)
        total[1] += (a @ behind @ a.T)[earlier].sum()
        total[2] += torch.special.entr(a).sum() / math.log(2)
        pairs += int(earlier.sum())
        rows += steps
    crossed, expected, bits = total.tolist()
    return dict(crossed=crossed / pairs, expected=expected / pairs, bits=bits / rows)


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}
