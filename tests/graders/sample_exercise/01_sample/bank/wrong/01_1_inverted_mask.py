"""attention to the keys that the mask forbids"""


# loses: values, mask
def attention(query, key, value, mask):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(mask, float("-inf")).softmax(-1).nan_to_num() @ value
