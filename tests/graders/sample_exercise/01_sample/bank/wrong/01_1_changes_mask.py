"""right numbers, from code that overwrites the caller's query"""


# loses: values, mask
def attention(query, key, value, mask):
    query /= query.shape[-1] ** 0.5
    return (query @ key.mT).masked_fill(~mask, float("-inf")).softmax(-1).nan_to_num() @ value
