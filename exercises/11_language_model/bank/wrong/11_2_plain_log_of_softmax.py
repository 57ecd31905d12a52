"""the logarithm of a softmax"""


# loses: large scores
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).softmax(dim=-1).log()
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()
