"""ignored targets counted as token 0"""


# loses: padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return costs.mean()
