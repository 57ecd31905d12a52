"""Right answers to question 07.2."""


# %% measured: The rank of the derivative of A with respect to both matrices, at a small size, scaled up.
def free_numbers(d, k):
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((2, d, k))
    moves = []
    for position in np.ndindex(d, k):
        step = np.zeros((d, k))
        step[position] = 1.0
        moves += [(step @ key.T).ravel(), (query @ step.T).ravel()]
    return int(np.linalg.matrix_rank(np.array(moves)))


assert 2 * 6 * 2 - free_numbers(6, 2) == 2**2
assert free_numbers(4, 4) == 4**2
redundant = 64**2
six_heads = 6 * 64 * (2 * 384 - 64)
one_head = 384**2


# %% numbers: Numbers.
redundant = 4096
six_heads = 270_336
one_head = 147_456
