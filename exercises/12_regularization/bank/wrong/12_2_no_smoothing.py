"""the loss without smoothing"""


# loses: smoothed, padding, large, gradient
def smoothed_loss(logits, targets, epsilon, ignored):
    log_p = logits.log_softmax(-1)
    counts = targets != ignored
    safe = torch.where(counts, targets, 0)
    right = log_p.gather(-1, safe[..., None]).squeeze(-1)
    costs = -right
    return torch.where(counts, costs, 0.0).sum() / counts.sum().clamp(min=1)
