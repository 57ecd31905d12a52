"""zeros in place of NaN forward, but NaN in the gradient"""
# loses: gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores + torch.zeros(allowed.shape).masked_fill(~allowed, -torch.inf)
    return scores.softmax(-1).nan_to_num(0.0) @ value
