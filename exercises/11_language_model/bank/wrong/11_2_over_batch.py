"""the softmax over the batch in place of tokens"""


# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=0)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()
