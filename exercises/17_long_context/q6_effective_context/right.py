"""Right answers to question 17.6."""


# %% numpy: NumPy, from the longest down.
def measure(predict, texts, answers, kept):
    texts, answers = np.asarray(texts), np.asarray(answers)
    others = np.roll(texts, -1, axis=0)
    right = []
    for length in kept:
        own = np.arange(texts.shape[1]) >= texts.shape[1] - length
        mixed = np.where(own, texts, others)
        said = np.array([predict(row.tolist()) for row in mixed])
        right.append(float(np.mean(said == answers)))
    effective = kept[-1]
    for length, share in zip(reversed(kept), reversed(right)):
        if share < 0.8 * right[-1] - 1e-9:
            break
        effective = length
    return {"right": right, "effective": effective}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% minima: Running minima of the shares from behind.
def measure(predict, texts, answers, kept):
    rows, n = list(texts), len(texts)
    right = torch.zeros(len(kept), dtype=torch.float64)
    for k, length in enumerate(kept):
        for r in range(n):
            other = rows[r + 1] if r + 1 < n else rows[0]
            mixed = rows[r].clone()
            mixed[: len(mixed) - length] = other[: len(mixed) - length]
            right[k] += float(predict(mixed) == answers[r]) / n
    least = right.flip(0).cummin(0).values.flip(0)
    enough = least + 1e-9 >= 0.8 * right[-1]
    return {"right": right, "effective": kept[int(enough.double().argmax())]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}
