"""attention without the 1/sqrt(d_head) scale"""


# loses: values, mask
def attention(query, key, value, mask):
    scores = query @ key.mT
    return scores.masked_fill(~mask, float("-inf")).softmax(-1).nan_to_num() @ value
