# question 01.7
# wrong: the number of windows comes from a division that rounds down plus one, one too many where the last window ends with the text
# differs: time 8, context 4, stride 2: 4 windows instead of 3, the last of them scores nothing
def score_windows(model, tokens, start, context, stride):
    time = len(tokens)
    size = min(context, time)
    n_windows = 1 + (time - size) // stride + (time > size)
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    begin = torch.arange(n_windows) * stride
    place = begin[:, None] + torch.arange(size)
    safe = place.clamp(max=time - 1)
    logits = model(shifted[safe])
    log_probs = logits.log_softmax(dim=-1)
    log_probs = log_probs.gather(2, tokens[safe][..., None]).squeeze(2)
    seen = torch.where(begin > 0, begin - stride + size, 0)
    counts = (place >= seen[:, None]) & (place < time)
    return torch.where(counts, log_probs, 0.0).sum(dim=1)
