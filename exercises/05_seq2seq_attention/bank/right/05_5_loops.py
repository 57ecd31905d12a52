"""Loops over pairs of steps and of sources."""


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
    "crossed": 0.22250316,
    "expected": 0.24093618,
    "bits": 0.53535952,
}
