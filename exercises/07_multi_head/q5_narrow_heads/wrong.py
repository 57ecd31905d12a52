"""Named mistakes in question 07.5."""


# %% count: a count instead of a share
# loses: found, enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).sum())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% first_of_ties: the first of several equal scores taken for the largest
# loses: found, enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((scores.argmax(axis=1) == np.arange(len(key))).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% found_alone: weights of the found objects alone
# loses: weights, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1))[np.diag(scores) > others.max(axis=1)].mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% from_then_on: the smallest width from which on all widths suffice
# loses: enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if found[-1] < 0.9:
            enough = None
        elif enough is None:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% largest: the largest weight of each object
# loses: weights, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((powers.max(axis=1) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% last: the largest width that suffices
# loses: enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% more: more than nine tenths instead of at least
# loses: enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] > 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% nearly: a width that is enough from 0.85 on
# loses: enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.85:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% no_scale: weights without the scale
# loses: weights, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / 1.0
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% no_shift: exponentials without a shift
# loses: weights, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores)
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% none_as_zero: 0 instead of None where no width suffices
# loses: enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough or 0)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% other_seed: numbers of another seed
# loses: report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 1,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% place: the place of the width in the list instead of the width
# loses: enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = len(found) - 1
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% scale_width: scores divided by the width instead of its root
# loses: weights, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / width
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% sixty_four: a division by 64 whatever the number of objects
# loses: found, enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).sum() / 64)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% swapped: shares and weights exchanged in the report
# loses: report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "weights": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "found": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% ties: objects found whose score another key equals
# loses: found, enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) >= others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}


# %% two_digits: a report of two digits
# loses: report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03, 0.12, 0.25, 0.69, 0.94, 1.0],
    "weights": [0.04, 0.05, 0.1, 0.18, 0.35, 0.7],
    "enough": 16,
}


# %% wrong_norm: objects found whose score with their own query beats half of the others
# loses: found, enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > np.median(others, axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}
