"""Named mistakes in question 01.3."""


# %% all_entries: a table of which all entries are counted, as if none followed from the others
# loses: table
table = 4**6
history = 63
chain = 4**6 - 1
distributions = 21


# %% last_only: the numbers of the last conditional alone
# loses: chain
table = 4**6 - 1
history = 63
chain = 4**5 * 3
distributions = 21


# %% last_step: a count of the windows of two tokens alone, as if the first two tokens had none of their own
# loses: distributions, history
table = 4**6 - 1
distributions = 4**2
history = 4**2 * 3
chain = 4**6 - 1


# %% no_marginals: a count of the shared windows alone, without the first two tokens
# loses: history
table = 4**6 - 1
history = 16 * 3
chain = 4**6 - 1
distributions = 21


# %% not_free: counts in which each distribution has V numbers instead of V - 1
# loses: table, history, chain
table = 4**6
history = 4 + 4 * 4 + 16 * 4
chain = sum(4**t * 4 for t in range(6))
distributions = 21


# %% pairs_alone: the distributions after pairs alone, without those of the first two tokens
# loses: distributions
table = 4**6 - 1
history = 63
chain = 4**6 - 1
distributions = 4**2


# %% unshared: a count in which every time has windows of its own
# loses: history
table = 4**6 - 1
history = 3 + 4 * 3 + 4 * 16 * 3
chain = 4**6 - 1
distributions = 21
