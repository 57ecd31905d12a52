"""Named mistakes in question 13.2."""


# %% attention_alone: blocks of attention alone
# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2
more = 2
scores = 75


# %% causal_cross: a causal mask over the source
# loses: scores
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 21 + 21


# %% cross_only: cross-attention alone
# loses: scores
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 16 / 12
scores = 54


# %% cross_shared: cross-attention without a query matrix of its own
# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 7 * 256**2 + 2 * 256 * 1024
more = 15 / 12
scores = 75


# %% early_root: a quarter before the peak reached at a sixteenth of its step
# loses: early
peak = (256 * 1000) ** -0.5
early = 1000 / 16
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 75


# %% four_heads: the pairs of all four heads
# loses: scores
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 16 / 12
scores = 4 * 75


# %% heads_counted_twice: matrices of full width for each of the four heads
# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 4 * 8 * 256**2 + 2 * 256 * 1024
more = 40 / 24
scores = 75


# %% late_after_peak: steps counted from the peak on
# loses: late
peak = (256 * 1000) ** -0.5
early = 250
late = 15000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 75


# %% late_line: a rate that falls in a line after the peak
# loses: late
peak = (256 * 1000) ** -0.5
early = 250
late = 4000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 75


# %% more_inverted: the encoder's weights over the decoder's
# loses: more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 3 / 4
scores = 75


# %% no_width: a peak without the width
# loses: peak
peak = 1000**-0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 75


# %% one_attention: a block of the decoder with one attention
# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 4 * 256**2 + 2 * 256 * 1024
more = 1
scores = 75


# %% one_head_only: attentions of one head of 64 features
# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 2 * 4 * 256 * 64 + 2 * 256 * 1024
more = 10 / 9
scores = 75


# %% one_inner_matrix: a network of one matrix
# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 256 * 1024
more = 12 / 8
scores = 75


# %% one_more_read: a decoder that reads seven words
# loses: scores
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 16 / 12
scores = 28 + 63


# %% root_of_width: a peak that grows with the root of the width
# loses: peak
peak = 256**0.5 * 1000**-0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 75


# %% self_only: self-attention alone
# loses: scores
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 21


# %% strict_mask: a mask that closes the diagonal
# loses: scores
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 15 + 54


# %% three_matrices: attentions of three matrices each
# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 6 * 256**2 + 2 * 256 * 1024
more = 14 / 11
scores = 75


# %% twice_as_many: a block of the decoder with twice the weights of the encoder's
# loses: more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 2
scores = 75


# %% unmasked: self-attention without its mask
# loses: scores
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 6 * 6 + 6 * 9


# %% width_without_root: a peak that falls with the width, not with its root
# loses: peak
peak = 1000**-0.5 / 256
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 16 / 12
scores = 75


# %% with_encoder: the encoder's own pairs as well
# loses: scores
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 16 / 12
scores = 21 + 54 + 81
