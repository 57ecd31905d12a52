"""attention without the 1/sqrt(d_key) scale"""
# loses: values, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = ~allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(blind, 0.0)
