"""Counted places packed and split again, the largest logit of each subtracted by hand."""
def sequence_log_prob(logits, tokens, lengths):
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    scores, chosen = logits[inside], tokens[inside]
    shifted = scores - scores.max(dim=1, keepdim=True).values
    log_probs = shifted[torch.arange(len(chosen)), chosen] - shifted.exp().sum(1).log()
    return torch.stack([row.sum() for row in log_probs.split(lengths.tolist())])
