"""the entropies divided by the number of pairs instead of rows"""


# loses: bits, reported bits
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] > best[k])
                expected.append(weights[j] @ before[k])
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": sum(bits) / len(crossed),
    }


report = {
    "crossed": 0.22250316,
    "expected": 0.24093618,
    "bits": 0.53535952,
}
