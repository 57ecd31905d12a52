"""log-probabilities of -10,000 at least"""


# loses: large scores
def next_token_loss(z, E, targets):
    lp = (z @ E.T).log_softmax(-1)
    k = targets != -100
    return -lp[k].gather(1, targets[k][:, None]).clamp(min=-1e4).mean()
