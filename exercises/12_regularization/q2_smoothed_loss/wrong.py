"""Named mistakes in question 12.2."""


# %% bits: bits instead of nats
# loses: plain, smoothed, padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = (-(1 - epsilon) * right - epsilon * log_p.mean(-1)) / math.log(2)
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)


# %% both_branches: two branches, one of which has a gradient of NaN
# loses: large
def smoothed_loss(logits, targets, epsilon, ignored):
    m = logits.amax(-1, keepdim=True)
    lse = torch.where(
        m.abs() < 50,
        logits.exp().sum(-1, keepdim=True).log(),
        m + (logits - m).exp().sum(-1, keepdim=True).log(),
    )
    lp = logits - lse
    counts = targets != ignored
    t = torch.where(counts, targets, 0)
    c = -(1 - epsilon) * lp.gather(-1, t[..., None])[..., 0] - epsilon * lp.mean(-1)
    return torch.where(counts, c, 0.0).sum() / counts.sum().clamp(min=1)


# %% detached: a normalization that the gradient does not pass
# loses: gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits - logits.logsumexp(-1, keepdim=True).detach()
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)


# %% exponentials: exponentials that overflow
# loses: large
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = (logits.exp() / logits.exp().sum(-1, keepdim=True)).log()
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)


# %% ignored_counts: ignored targets counted as token 0
# loses: padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return costs.mean()


# %% mean_of_all: a sum divided by all targets, the ignored ones too
# loses: padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return torch.where(counts, costs, 0.0).mean()


# %% mean_of_row_means: the mean of the rows' means
# loses: padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    n = counts.sum(1)
    rows = torch.where(counts, costs, 0.0).sum(1) / n.clamp(min=1)
    return rows.sum() / (n > 0).sum().clamp(min=1)


# %% nan: a mean of nothing that is not a number
# loses: padding
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return torch.where(counts, costs, 0.0).sum() / counts.sum()


# %% no_smoothing: the loss without smoothing
# loses: smoothed, padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -right
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)


# %% not_reduced: the right token kept at its whole weight
# loses: smoothed, padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -right - epsilon * log_p.mean(-1)
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)


# %% others_only: a share for every token but the right one, out of K - 1
# loses: smoothed, padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    others = (log_p.sum(-1) - right) / max(1, log_p.shape[-1] - 1)
    costs = -(1 - epsilon) * right - epsilon * others
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)


# %% smooth_all_places: a smoothed share that is the mean over all places, ignored ones too
# loses: padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    cost = -torch.where(counts, right, 0.0).sum() / counts.sum().clamp(min=1)
    return (1 - epsilon) * cost - epsilon * torch.where(counts.any(), log_p.mean(), 0.0)


# %% smooth_padding: a smoothed share that ignored targets pay as well
# loses: padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = torch.where(counts, -(1 - epsilon) * right, 0.0) - epsilon * log_p.mean(-1)
    return costs.sum() / counts.sum().clamp(min=1)


# %% sum: the sum over the targets instead of their mean
# loses: plain, smoothed, padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return torch.where(counts, costs, 0.0).sum()


# %% sum_over_tokens: epsilon for every token instead of a K-th of it
# loses: smoothed, padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.sum(-1)
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)


# %% zero_counts: padding by the number 0 that counts
# loses: padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    lp = logits.log_softmax(-1)
    m = targets != ignored if ignored else torch.ones_like(targets, dtype=torch.bool)
    t = torch.where(m, targets, 0)
    c = -(1 - epsilon) * lp.gather(-1, t[..., None])[..., 0] - epsilon * lp.mean(-1)
    return (c * m).sum() / m.sum().clamp(min=1)


# %% beyond_counts: targets beyond all tokens counted as the last token
# loses: padding
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    targets, last = targets.clamp(max=logits.shape[-1] - 1), logits.shape[-1] - 1
    counts = (targets != ignored) | (ignored > last)
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)


# %% half_at_most: a smoothing that is a half at most
# loses: smoothed
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    epsilon = min(epsilon, 0.5)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)


# %% nan_gradient: a loss of 0 for padding alone, chosen behind a division by 0
# loses: gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    mean = (costs * counts).sum() / counts.sum()
    return torch.where(counts.any(), mean, 0.0)


# %% wrapped: tokens kept as bytes, so that those above 255 are others
# loses: smoothed
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0) % 256
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)
