"""Named mistakes in question 12.1."""


# %% any_lost: the probability that something is lost
# loses: many
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 1 - 0.9**6
by_row = 0.2
by_word = 0.04


# %% both_kept: the probability that both are kept
# loses: by_row, by_word
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 0.9**6
by_row = 0.8
by_word = 0.64


# %% deviation: the standard deviation for the variance
# loses: variance
kept = 4.0
variance = 3**0.5
row_sum = 0.625
intact = 0.9**6
by_row = 0.2
by_word = 0.04


# %% either: the probability that one of the two is hidden at least
# loses: by_word
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 0.9**6
by_row = 0.2
by_word = 1 - 0.8**2


# %% independent_rows: a draw for each occurrence of a row
# loses: by_row
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 0.9**6
by_row = 0.04
by_word = 0.04


# %% mask_variance: the variance of the mask alone
# loses: variance
kept = 4.0
variance = 0.25 * 0.75
row_sum = 0.625
intact = 0.9**6
by_row = 0.2
by_word = 0.04


# %% no_scale: dropout that does not scale what it keeps
# loses: kept, variance, many
kept = 3.0
variance = 9 * 0.75 * 0.25
row_sum = 0.5
intact = 0.9**6
by_row = 0.2
by_word = 0.04


# %% one_draw: a vector that is dropped as a whole
# loses: many
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 0.9
by_row = 0.2
by_word = 0.04


# %% rate_for_scale: scaling by the rate instead of what it leaves
# loses: kept, variance, many
kept = 3 / 0.25
variance = 9 * 0.75 / 0.25
row_sum = 0.5 / 0.2
intact = 0.9**6
by_row = 0.2
by_word = 0.04


# %% shared_out: weights that are normalized again after dropout
# loses: many
kept = 4.0
variance = 3.0
row_sum = 1.0
intact = 0.9**6
by_row = 0.2
by_word = 0.04


# %% shared_words: one draw for all occurrences of a word
# loses: by_word
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 0.9**6
by_row = 0.2
by_word = 0.2


# %% square_left_out: a variance that grows with the number, not its square
# loses: variance
kept = 4.0
variance = 3 * 0.25 / 0.75
row_sum = 0.625
intact = 0.9**6
by_row = 0.2
by_word = 0.04


# %% variance_not_scaled: the variance of a number that is kept as it is
# loses: variance
kept = 4.0
variance = 9 * 0.25 * 0.75
row_sum = 0.625
intact = 0.9**6
by_row = 0.2
by_word = 0.04
