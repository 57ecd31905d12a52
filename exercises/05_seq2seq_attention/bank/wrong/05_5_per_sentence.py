"""means of the sentences' means"""


# loses: crossed, expected, bits, reported crossings, reported bits
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        steps = len(weights)
        pairs = [(j, k) for k in range(steps) for j in range(k)]
        if pairs:
            crossed.append(np.mean([best[j] > best[k] for j, k in pairs]))
            expected.append(np.mean([weights[j] @ before[k] for j, k in pairs]))
        logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
        bits.append(-(weights * logs).sum() / steps)
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.22250316,
    "expected": 0.24093618,
    "bits": 0.53535952,
}
