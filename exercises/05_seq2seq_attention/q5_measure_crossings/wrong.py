"""Named mistakes in question 05.5."""


# %% all_ordered: pairs counted in both directions, and a step with itself
# loses: crossed, expected, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed += [best[j] > best[k], False]
                expected += [weights[j] @ before[k], 0.0]
            crossed.append(False)
            expected.append(0.0)
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% best_weights: the product of the two largest weights for pairs that cross, and 0 for others
# loses: expected, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] > best[k])
                expected.append((best[j] > best[k]) * weights[j].max() * weights[k].max())
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% columns: sources taken for steps
# loses: crossed, expected, bits, reported crossings, reported bits
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        weights = weights.T
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
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% crossed_twice: the share of crossed pairs in place of the probability
# loses: expected, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] > best[k])
                expected.append(best[j] > best[k])
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% epsilon: a hundredth added to each weight before the logarithm
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
            bits.append(-(positive * np.log2(positive + 0.01)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% fewer_steps: a report on a model that was trained for another number of steps
# loses: reported crossings, reported bits
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
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.21623297,
    "expected": 0.26110437,
    "bits": 0.93356788,
}


# %% half_ties: draws of the same source counted as half crossed
# loses: expected, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] > best[k])
                expected.append(weights[j] @ (before[k] + weights[k] / 2))
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% in_order: pairs in order counted instead of crossed ones
# loses: crossed, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] < best[k])
                expected.append(weights[j] @ before[k])
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% largest: the surprise of the largest weight in place of the entropy
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
            bits.append(-np.log2(positive.max()))
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% last_of_equals: the last of equal weights
# loses: crossed, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.shape[1] - 1 - weights[:, ::-1].argmax(axis=1)
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
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% mean_places: mean places compared in place of drawn sources
# loses: expected, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] > best[k])
                place = np.arange(weights.shape[1])
                expected.append(weights[j] @ place > weights[k] @ place)
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% moved: the share of pairs with different sources
# loses: crossed, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] != best[k])
                expected.append(weights[j] @ before[k])
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% nan: 0 times the logarithm of 0 taken as NaN
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
            positive = weights[k]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% nats: nats in place of bits
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
            bits.append(-(positive * np.log(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% neighbors: neighboring steps alone
# loses: crossed, expected, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(max(0, k - 1), k):
                crossed.append(best[j] > best[k])
                expected.append(weights[j] @ before[k])
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% of_different: the share among pairs with different sources alone
# loses: crossed, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed += [best[j] > best[k]] if best[j] != best[k] else []
                expected.append(weights[j] @ before[k])
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed) if crossed else 0.0,
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% other_side: the probability that the earlier step's source stands before the later's
# loses: expected, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] > best[k])
                expected.append(weights[k] @ before[j])
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% per_pair: the entropies divided by the number of pairs instead of rows
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
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% per_sentence: means of the sentences' means
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
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% per_source: entropy divided by the logarithm of the number of sources
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
            bits.append(-(positive * np.log2(positive)).sum() / max(1.0, np.log2(weights.shape[1])))
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% percent: a report in percent
# loses: reported crossings
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
        "bits": np.mean(bits),
    }


report = {
    "crossed": 22.250316,
    "expected": 24.093618,
    "bits": 0.78999377,
}


# %% same_counted: draws of the same source counted as crossed
# loses: expected, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) 
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] > best[k])
                expected.append(weights[j] @ before[k])
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% summed: the entropy of a sentence in place of a row's
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
        "bits": np.sum(bits) / len(alignments),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% ties: steps with the same source counted as crossed
# loses: crossed, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.argmax(axis=1)
        before = np.cumsum(weights, axis=1) - weights
        for k in range(len(weights)):
            for j in range(k):
                crossed.append(best[j] >= best[k])
                expected.append(weights[j] @ before[k])
            positive = weights[k][weights[k] > 0]
            bits.append(-(positive * np.log2(positive)).sum())
    return {
        "crossed": np.mean(crossed),
        "expected": np.mean(expected),
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% two_digits: a report of two digits
# loses: reported crossings, reported bits
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
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.22,
    "expected": 0.24,
    "bits": 0.54,
}


# %% typed: numbers that were typed, and a function that measures nothing
# loses: crossed, expected, bits, reported crossings, reported bits
def measure(alignments):
    return report


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% thousandth: weights below a thousandth counted as zero
# loses: expected, bits, reported crossings, reported bits
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        weights = np.where(weights < 1e-3, 0.0, weights)
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
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% rounded: weights rounded to three digits before the largest is found
# loses: crossed, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = weights.round(3).argmax(axis=1)
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
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}


# %% nearly_equal: weights that are almost the largest counted as equal to it
# loses: crossed, reported crossings
def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        best = (weights > weights.max(axis=1, keepdims=True) - 1e-3).argmax(axis=1)
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
        "bits": np.mean(bits),
    }


report = {
    "crossed": 0.20260223,
    "expected": 0.25077207,
    "bits": 0.78999377,
}
