"""the logarithm of a softmax computed first, which is log(0) for large logits"""


# loses: one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).softmax(-1).log().gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return torch.where(fresh & (places < time), log_probs, 0.0).sum(1)
