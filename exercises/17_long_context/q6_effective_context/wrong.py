"""Named mistakes in question 17.6."""


# %% cut: texts cut off in place of exchanged words
# loses: right, effective, reported shares, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = texts[row, time - length :]
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [c for k, c in enumerate(kept) if min(right[k:]) >= 0.8 * right[-1] - 1e-12]
    return {"right": right, "effective": enough[0]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% first_words: the first words kept instead of the last
# loses: right, effective, reported shares, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([texts[row, :length], texts[(row + 1) % n, length:]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [c for k, c in enumerate(kept) if min(right[k:]) >= 0.8 * right[-1] - 1e-12]
    return {"right": right, "effective": enough[0]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% zeros: words exchanged for token 0
# loses: right, effective, reported shares, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([0 * texts[row, : time - length], texts[row, time - length :]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [c for k, c in enumerate(kept) if min(right[k:]) >= 0.8 * right[-1] - 1e-12]
    return {"right": right, "effective": enough[0]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% text_before: words of the text before
# loses: right, effective, reported shares, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([texts[row - 1, : time - length], texts[row, time - length :]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [c for k, c in enumerate(kept) if min(right[k:]) >= 0.8 * right[-1] - 1e-12]
    return {"right": right, "effective": enough[0]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% counts: numbers of right answers in place of shares
# loses: right, effective, reported shares, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([texts[(row + 1) % n, : time - length], texts[row, time - length :]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good)
    enough = [c for k, c in enumerate(kept) if min(right[k:]) >= 0.8 * right[-1] - 1e-12]
    return {"right": right, "effective": enough[0]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% first_crossing: the first length that is good enough, whatever comes later
# loses: effective, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([texts[(row + 1) % n, : time - length], texts[row, time - length :]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [c for c, share in zip(kept, right) if share >= 0.8 * right[-1] - 1e-12]
    return {"right": right, "effective": enough[0]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% four_fifths: a comparison with four fifths of all texts
# loses: effective, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([texts[(row + 1) % n, : time - length], texts[row, time - length :]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [c for k, c in enumerate(kept) if min(right[k:]) >= 0.8] or [kept[-1]]
    return {"right": right, "effective": enough[0]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% as_good: only lengths as good as the whole text
# loses: effective, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([texts[(row + 1) % n, : time - length], texts[row, time - length :]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [c for k, c in enumerate(kept) if min(right[k:]) >= right[-1]]
    return {"right": right, "effective": enough[0]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% largest: the largest length that is good enough
# loses: effective, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([texts[(row + 1) % n, : time - length], texts[row, time - length :]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [c for k, c in enumerate(kept) if min(right[k:]) >= 0.8 * right[-1] - 1e-12]
    return {"right": right, "effective": enough[-1]}


report = {
    "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
    "effective": 20,
}


# %% not_copied: a right measure and a report of something else
# loses: reported shares, reported context
def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([texts[(row + 1) % n, : time - length], texts[row, time - length :]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [c for k, c in enumerate(kept) if min(right[k:]) >= 0.8 * right[-1] - 1e-12]
    return {"right": right, "effective": enough[0]}


report = {
    "right": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
    "effective": 15,
}
