"""Named mistakes in question 19.5."""


# %% half_counts: a pattern counted that has exactly half of the weight
# loses: back, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) >= 0.5).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% leads: patterns counted that have more weight than any other
# loses: back, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((weights.argmax(axis=1) == np.arange(len(weights))).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% a_share: the share of patterns that come back in place of their number
# loses: back, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": float((np.diag(weights) > 0.5).mean()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% anybody: states of which any pattern has more than half of the weight
# loses: back, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((weights.max(axis=1) > 0.5).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% all_signs: states counted whose signs are all right
# loses: back, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((updated * patterns > 0).all(axis=1).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% zeros_count: numbers counted as right that are zero
# loses: signs, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns >= 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% damaged: the signs of the damaged states in place of the updated ones
# loses: signs, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((states * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% a_number: the number of right signs in place of their share
# loses: signs, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": int((updated * patterns > 0).sum()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% whole_states: the share of states whose signs are all right
# loses: signs, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns > 0).all(axis=1).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% wrong_signs: the share of wrong signs
# loses: signs, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns <= 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% no_beta: attention without the inverse temperature
# loses: back, signs, reported
def measure(patterns, states, beta):
    scores = states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% temperature: scores divided by beta
# loses: back, signs, reported
def measure(patterns, states, beta):
    scores = states @ patterns.T / beta
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% over_states: a softmax over the states in place of the patterns
# loses: back, signs, reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights /= weights.sum(axis=0, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.9735}


# %% other_beta: a report at another temperature
# loses: reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 575, "signs": 0.97292}


# %% other_seed: a report of another seed
# loses: reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 1, "back": 784, "signs": 0.9735}


# %% fraction: a seed that is no whole number
# loses: reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0.5, "back": 784, "signs": 0.9735}


# %% two_digits: a share of signs with two digits
# loses: reported
def measure(patterns, states, beta):
    scores = beta * states @ patterns.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    updated = weights @ patterns
    return {
        "back": int((np.diag(weights) > 0.5).sum()),
        "signs": float((updated * patterns > 0).mean()),
    }


report = {"seed": 0, "back": 784, "signs": 0.97}


# %% typed: numbers that were typed, with a measure that returns them
# loses: back, signs, reported
def measure(patterns, states, beta):
    return {"back": 784, "signs": 0.9735}


report = measure(None, None, 2) | {"seed": 0}
