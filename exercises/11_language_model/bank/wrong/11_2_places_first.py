"""targets that are read place by place, outputs row by row"""


# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1).flatten(0, 1)
    targets = targets.T.flatten()
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()
