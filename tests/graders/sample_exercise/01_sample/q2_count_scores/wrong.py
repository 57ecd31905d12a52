"""Named mistakes in question 01.2."""


# %% causal: the number that a causal mask leaves
# loses: count
n_scores = 45


# %% one_sequence: the number for one sequence
# loses: count
n_scores = 25


# %% tokens: the number of tokens
# loses: count
n_scores = 15


# %% whole_batch: attention across the sequences of the batch
# loses: count
n_scores = 225
