"""Named mistakes in question 07.2."""


# %% all_counted: a count in which nothing is redundant
# loses: redundant, six heads, one head
redundant = 0
six_heads = 6 * 2 * 384 * 64
one_head = 2 * 384 * 384


# %% both_factors: the entries of M counted once for the queries and once for the keys
# loses: redundant, six heads, one head
redundant = 2 * 64 * 64
six_heads = 6 * (2 * 384 * 64 - 2 * 64 * 64)
one_head = 0


# %% feature_scales: a factor for each of the head's features alone
# loses: redundant, six heads, one head
redundant = 64
six_heads = 6 * (2 * 384 * 64 - 64)
one_head = 2 * 384 * 384 - 384


# %% narrow_change: a matrix M of the narrow heads' width in the wide head
# loses: one head
redundant = 64 * 64
six_heads = 6 * (2 * 384 * 64 - 64 * 64)
one_head = 2 * 384 * 384 - 64 * 64


# %% not_subtracted: all parameters of W_q and W_k, with the redundant ones
# loses: six heads, one head
redundant = 64 * 64
six_heads = 6 * 2 * 384 * 64
one_head = 2 * 384 * 384


# %% once: the redundant numbers of a single head subtracted from all six
# loses: six heads
redundant = 64 * 64
six_heads = 6 * 2 * 384 * 64 - 64 * 64
one_head = 384 * 384


# %% one_factor: a single number by which queries are multiplied and keys divided
# loses: redundant, six heads, one head
redundant = 1
six_heads = 6 * (2 * 384 * 64 - 1)
one_head = 2 * 384 * 384 - 1


# %% one_of_six: one narrow head in place of six
# loses: six heads
redundant = 64 * 64
six_heads = 2 * 384 * 64 - 64 * 64
one_head = 384 * 384


# %% remaining: what remains of one head's parameters
# loses: redundant
redundant = 2 * 384 * 64 - 64 * 64
six_heads = 6 * (2 * 384 * 64 - 64 * 64)
one_head = 384 * 384


# %% rotations: rotations M alone
# loses: redundant, six heads, one head
redundant = 64 * 63 // 2
six_heads = 6 * (2 * 384 * 64 - 64 * 63 // 2)
one_head = 2 * 384 * 384 - 384 * 383 // 2


# %% together: one matrix M for the columns of all six heads
# loses: six heads
redundant = 64 * 64
six_heads = 2 * 384 * 384 - 384 * 384
one_head = 384 * 384


# %% values_too: the matrices of values and outputs counted as well
# loses: six heads, one head
redundant = 64 * 64
six_heads = 6 * (4 * 384 * 64 - 64 * 64)
one_head = 4 * 384 * 384 - 384 * 384
