"""the logarithm of a softmax computed first, which is log(0) for large logits"""
# loses: large logits, gradients
def sequence_log_prob(logits, tokens, lengths):
    probabilities = logits.softmax(-1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return torch.where(inside, probabilities.log(), torch.zeros(())).sum(1)
