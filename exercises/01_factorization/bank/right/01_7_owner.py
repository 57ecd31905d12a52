"""Each place asks which window is the first that holds it; sums by index_add."""


def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    place = torch.arange(time)
    owner = torch.where(place < width, 0, (place - width).div(stride, rounding_mode="floor") + 1)
    rows = torch.arange(int(owner[-1]) + 1)[:, None] * stride + torch.arange(width)
    shifted = torch.cat([torch.tensor([start]), tokens[:-1], torch.zeros(stride, dtype=torch.long)])
    log_probs = model(shifted[rows]).log_softmax(2)
    own = log_probs[owner, place - owner * stride, tokens]
    return torch.zeros(len(rows)).index_add(0, owner, own)
