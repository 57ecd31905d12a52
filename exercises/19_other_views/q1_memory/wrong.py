"""Named mistakes in question 19.1."""


# %% first_memory: the patterns of the first batch entry for all
# loses: update, large scores, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    patterns = patterns[:1].expand(len(patterns), -1, -1)
    scores = beta * (state @ patterns.transpose(1, 2))
    if may_answer is None:
        return scores.softmax(dim=2) @ patterns
    anybody = may_answer.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~may_answer & anybody, -math.inf)
    return torch.where(anybody, scores.softmax(dim=2) @ patterns, state)


# %% detached_patterns: patterns that get a gradient as values, and none as keys
# loses: gradients
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * (state @ patterns.detach().transpose(1, 2))
    if may_answer is None:
        return scores.softmax(dim=2) @ patterns
    anybody = may_answer.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~may_answer & anybody, -math.inf)
    return torch.where(anybody, scores.softmax(dim=2) @ patterns, state)


# %% root_scale: scores divided by the root of the width, as in attention
# loses: update, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * (state @ patterns.transpose(1, 2)) / math.sqrt(state.shape[2])
    if may_answer is None:
        return scores.softmax(dim=2) @ patterns
    anybody = may_answer.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~may_answer & anybody, -math.inf)
    return torch.where(anybody, scores.softmax(dim=2) @ patterns, state)


# %% no_beta: attention without the inverse temperature
# loses: update, large scores, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    scores = state @ patterns.transpose(1, 2)
    if may_answer is None:
        return scores.softmax(dim=2) @ patterns
    anybody = may_answer.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~may_answer & anybody, -math.inf)
    return torch.where(anybody, scores.softmax(dim=2) @ patterns, state)


# %% temperature: scores divided by beta in place of multiplied
# loses: update, large scores, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    scores = state @ patterns.transpose(1, 2) / beta
    if may_answer is None:
        return scores.softmax(dim=2) @ patterns
    anybody = may_answer.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~may_answer & anybody, -math.inf)
    return torch.where(anybody, scores.softmax(dim=2) @ patterns, state)


# %% over_states: a softmax over the states in place of the patterns
# loses: update, large scores, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * (state @ patterns.transpose(1, 2))
    if may_answer is None:
        return scores.softmax(dim=1) @ patterns
    anybody = may_answer.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~may_answer, -1e9)
    return torch.where(anybody, scores.softmax(dim=1) @ patterns, state)


# %% mask_ignored: a memory in which all patterns answer, whatever the mask says
# loses: large scores, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    return (beta * (state @ patterns.transpose(1, 2))).softmax(dim=2) @ patterns


# %% mask_afterwards: weights of forbidden patterns set to zero behind the softmax, so that rows do not sum to 1
# loses: large scores, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    weights = (beta * (state @ patterns.transpose(1, 2))).softmax(dim=2)
    if may_answer is None:
        return weights @ patterns
    found = (weights * may_answer) @ patterns
    return torch.where(may_answer.any(dim=2, keepdim=True), found, state)


# %% inverted_mask: a mask that is True where a pattern may not answer
# loses: large scores, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * (state @ patterns.transpose(1, 2))
    if may_answer is None:
        return scores.softmax(dim=2) @ patterns
    anybody = (~may_answer).any(dim=2, keepdim=True)
    scores = scores.masked_fill(may_answer & anybody, -math.inf)
    return torch.where(anybody, scores.softmax(dim=2) @ patterns, state)


# %% zero_scores: forbidden scores set to zero, which is a score like any other
# loses: large scores, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * (state @ patterns.transpose(1, 2))
    if may_answer is None:
        return scores.softmax(dim=2) @ patterns
    anybody = may_answer.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~may_answer, 0.0)
    return torch.where(anybody, scores.softmax(dim=2) @ patterns, state)


# %% zeros_for_nobody: zeros where no pattern may answer
# loses: nobody answers
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * (state @ patterns.transpose(1, 2))
    if may_answer is None:
        return scores.softmax(dim=2) @ patterns
    anybody = may_answer.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~may_answer & anybody, -math.inf)
    gone = (state - state.detach()) * ~anybody  # zeros, with the state's gradient
    return torch.where(anybody, scores.softmax(dim=2) @ patterns, gone)


# %% everybody_for_nobody: the average of all patterns where none may answer
# loses: nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * (state @ patterns.transpose(1, 2))
    if may_answer is not None:
        scores = scores.masked_fill(~may_answer, -1e9)
    return scores.softmax(dim=2) @ patterns


# %% no_shift: exponentials without the largest score subtracted
# loses: large scores, gradients
def retrieve(state, patterns, beta, may_answer=None):
    powers = (beta * (state @ patterns.transpose(1, 2))).exp()
    if may_answer is None:
        return powers / powers.sum(dim=2, keepdim=True) @ patterns
    anybody = may_answer.any(dim=2, keepdim=True)
    powers = torch.where(may_answer | ~anybody, powers, 0.0)
    return torch.where(anybody, powers / powers.sum(dim=2, keepdim=True) @ patterns, state)


# %% half_way: the mean of the state and its update
# loses: update, large scores, mask, nobody answers, gradients
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * (state @ patterns.transpose(1, 2))
    if may_answer is None:
        return (state + scores.softmax(dim=2) @ patterns) / 2
    anybody = may_answer.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~may_answer & anybody, -math.inf)
    return (state + torch.where(anybody, scores.softmax(dim=2) @ patterns, state)) / 2
