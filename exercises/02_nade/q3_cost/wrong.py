"""Named mistakes in question 02.3."""


# %% indices_free: a count in which picking a column still costs a multiplication for each hidden unit
# loses: indexed
parameters, naive, shared = 45700, 2100000, 41790
indexed = 100 * 30 * 7 + 99 * 30


# %% last_column: a count without the products at the last position
# loses: indexed
parameters, naive, shared = 45700, 2100000, 41790
indexed = 99 * 30 * 7


# %% last_read: a count in which the last token is read, too
# loses: naive, shared
parameters, indexed = 45700, 21000
naive = 2 * 30 * 7 * 100 * 101 // 2
shared = 42000


# %% last_token_read: a count with running sums in which the last token is read, too
# loses: shared
parameters, naive, indexed = 45700, 2100000, 21000
shared = 2 * 100 * 30 * 7


# %% one_sum: a count of the products with W alone
# loses: naive, shared
parameters, indexed = 45700, 21000
naive = 30 * 7 * 100 * 101 // 2
shared = 21000


# %% shared_biases: a count with one c and one b for all positions
# loses: parameters
parameters = 2 * 100 * 30 * 7 + 30 + 7
naive, shared, indexed = 2100000, 41790, 21000


# %% target_read: a count in which each sum inside h_t runs up to t
# loses: naive
parameters, shared, indexed = 45700, 41790, 21000
naive = 2 * 30 * 7 * 100 * 101 // 2
