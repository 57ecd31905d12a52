"""the sum over all places, the filling included"""
# loses: lengths, gradients
def sequence_log_prob(logits, tokens, lengths):
    return logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0].sum(1)
