"""a model that reads the whole text at once, more than its context"""


# loses: disjoint, overlap, one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    log_probs = model(shifted[None]).log_softmax(-1)[0, torch.arange(time), tokens]
    ends = torch.arange(width, time + stride, stride).clamp(max=time).tolist()
    return torch.stack([log_probs[a:b].sum() for a, b in zip([0, *ends], ends)])
