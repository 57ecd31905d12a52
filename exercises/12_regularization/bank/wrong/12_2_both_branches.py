"""two branches, one of which has a gradient of NaN"""


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
