"""a softmax over the queries"""
# loses: weights, values, large scores, mask, nothing allowed, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(1) @ value
    blind = ~allowed.any(1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(1).masked_fill(~allowed, 0.0)
    return weights @ value
