"""remainders of the positions, which part neighbors where they wrap around"""


# loses: far
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions % 10**7).double(), base)
    k = rotate(key[:, None], (key_positions % 10**7).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]
