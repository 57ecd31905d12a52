# question 01.7
# wrong: the shifted text of an earlier call is used again if the sizes are the same
# differs: two different texts of the same length, context and stride, one after the other
_kept = {}


def score_windows(model, tokens, start, context, stride):
    time = len(tokens)
    size = min(context, time)
    n_windows = 1 + max(0, -(-(time - size) // stride))
    name = time, context, stride
    if name not in _kept:
        _kept[name] = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    shifted = _kept[name]
    begin = torch.arange(n_windows) * stride
    place = begin[:, None] + torch.arange(size)
    safe = place.clamp(max=time - 1)
    logits = model(shifted[safe])
    log_probs = logits.log_softmax(dim=-1)
    log_probs = log_probs.gather(2, tokens[safe][..., None]).squeeze(2)
    seen = torch.where(begin > 0, begin - stride + size, 0)
    counts = (place >= seen[:, None]) & (place < time)
    return torch.where(counts, log_probs, 0.0).sum(dim=1)
