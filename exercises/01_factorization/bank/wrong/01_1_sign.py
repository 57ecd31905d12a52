"""the negative log-likelihood: the sign is wrong"""
# loses: values, gradients
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return -(log_probs * inside).sum(1)
