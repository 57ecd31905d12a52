"""outputs that get no gradient"""


# loses: gradients
def next_token_loss(z, E, targets):
    log_probs = (z.detach() @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()
