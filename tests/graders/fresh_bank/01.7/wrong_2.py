# question 01.7
# wrong: the last window is slid back so that it ends with the text and so sees more past than it should
# differs: a model with memory, time 9, context 4, stride 3: the last window begins at 5 instead of 6
def score_windows(model, tokens, start, context, stride):
    time = len(tokens)
    size = min(context, time)
    n_windows = 1 + max(0, -(-(time - size) // stride))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    begin = (torch.arange(n_windows) * stride).clamp(max=time - size)
    place = begin[:, None] + torch.arange(size)
    safe = place.clamp(max=time - 1)
    logits = model(shifted[safe])
    log_probs = logits.log_softmax(dim=-1)
    log_probs = log_probs.gather(2, tokens[safe][..., None]).squeeze(2)
    seen = torch.where(torch.arange(n_windows) > 0, (torch.arange(n_windows) - 1) * stride + size, 0)
    counts = (place >= seen[:, None]) & (place < time)
    return torch.where(counts, log_probs, 0.0).sum(dim=1)
