"""a squeeze() that makes a single window's score a number without an axis"""


# loses: one window
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1).squeeze()
