"""the sum of the raw logits: they are not normalized"""
# loses: values, large logits, gradients
def sequence_log_prob(logits, tokens, lengths):
    scores = logits.gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return (scores * inside).sum(1)
