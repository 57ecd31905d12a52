"""the mean of the rows' means, 0 for a row of padding"""


# loses: padding, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = (targets != -100).to(z.dtype)
    chosen = log_probs.gather(2, targets.clamp(min=0)[..., None])[..., 0]
    rows = (chosen * counts).sum(dim=1) / counts.sum(dim=1).clamp(min=1)
    return -rows.mean()
