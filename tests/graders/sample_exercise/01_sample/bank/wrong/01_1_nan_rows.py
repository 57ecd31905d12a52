"""attention whose fully masked rows are 0/0"""


# loses: mask
def attention(query, key, value, mask):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, float("-inf")).softmax(-1) @ value
