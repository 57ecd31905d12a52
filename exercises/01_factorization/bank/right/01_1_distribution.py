"""A library's distribution; the rows' tokens joined, and added up in a buffer of zeros."""
def _inside(tokens, lengths):
    return torch.arange(tokens.shape[1]).expand(tokens.shape) < lengths[:, None]


def sequence_log_prob(logits, tokens, lengths):
    inside = _inside(tokens, lengths)
    surprise = torch.distributions.Categorical(logits=logits[inside]).log_prob(tokens[inside])
    totals = torch.zeros(len(tokens))
    rows = torch.nonzero(inside)[:, 0]
    return totals.index_add_(0, rows, surprise)
