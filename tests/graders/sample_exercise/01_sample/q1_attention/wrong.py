"""Named mistakes in question 01.1."""


# %% changes_mask: right numbers, from code that overwrites the caller's query
# loses: values, mask
def attention(query, key, value, mask):
    query /= query.shape[-1] ** 0.5
    return (query @ key.mT).masked_fill(~mask, float("-inf")).softmax(-1).nan_to_num() @ value


# %% inverted_mask: attention to the keys that the mask forbids
# loses: values, mask
def attention(query, key, value, mask):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(mask, float("-inf")).softmax(-1).nan_to_num() @ value


# %% nan_rows: attention whose fully masked rows are 0/0
# loses: mask
def attention(query, key, value, mask):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, float("-inf")).softmax(-1) @ value


# %% no_scale: attention without the 1/sqrt(d_head) scale
# loses: values, mask
def attention(query, key, value, mask):
    scores = query @ key.mT
    return scores.masked_fill(~mask, float("-inf")).softmax(-1).nan_to_num() @ value


# %% softmax_over_queries: weights that sum to 1 over the queries instead of the keys
# loses: values, mask
def attention(query, key, value, mask):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, float("-inf")).softmax(-2).nan_to_num() @ value
