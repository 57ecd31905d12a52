"""a mask read the wrong way round: True as forbidden"""
# loses: large scores, mask, nothing allowed, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = allowed.all(-1, keepdim=True)
    weights = scores.masked_fill(allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(blind, 0.0)
