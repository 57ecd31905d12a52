"""Named mistakes in question 07.2."""


# %% biases: matrices with biases
# loses: parameters
parameters = 4 * 384 * 6 * 64 + 3 * 6 * 64 + 384
more_heads = 4 * 384 * 8 * 64 + 3 * 8 * 64 + 384
weights = 240_000
causal_weights = 120_600
score_rank = 64
message_rank = 256
redundant = 4096
learned = 384
fully_connected = 384_000


# %% full_width: heads that are all as wide as the model
# loses: parameters
parameters = 4 * 384 * 384 * 6
more_heads = 4 * 384 * 384 * 8
weights = 240_000
causal_weights = 120_600
score_rank = 64
message_rank = 256
redundant = 4096
learned = 384
fully_connected = 384_000


# %% growth_of_all: the parameters of all objects together
# loses: growth
parameters = 589_824
more_heads = 786_432
weights = 240_000
causal_weights = 120_600
score_rank = 64
message_rank = 256
redundant = 4096
learned = 200 * 384
fully_connected = 200 * 384 * 1000


# %% half: half of all weights under the causal mask, whatever becomes of the diagonal
# loses: weights
parameters = 589_824
more_heads = 786_432
weights = 240_000
causal_weights = 6 * 200 * 200 // 2
score_rank = 64
message_rank = 256
redundant = 4096
learned = 384
fully_connected = 384_000


# %% hidden_alone: one weight per hidden unit for each object
# loses: growth
parameters = 589_824
more_heads = 786_432
weights = 240_000
causal_weights = 120_600
score_rank = 64
message_rank = 256
redundant = 4096
learned = 384
fully_connected = 1000


# %% independent: the parameters that remain
# loses: redundant
parameters = 589_824
more_heads = 786_432
weights = 240_000
causal_weights = 120_600
score_rank = 64
message_rank = 256
redundant = 64 * (2 * 384 - 64)
learned = 384
fully_connected = 384_000


# %% no_output: the matrices that read objects alone, without those that write
# loses: parameters
parameters = 3 * 384 * 6 * 64
more_heads = 3 * 384 * 8 * 64
weights = 240_000
causal_weights = 120_600
score_rank = 64
message_rank = 256
redundant = 4096
learned = 384
fully_connected = 384_000


# %% no_self: a causal mask in which no object sees itself
# loses: weights
parameters = 589_824
more_heads = 786_432
weights = 240_000
causal_weights = 6 * 200 * 199 // 2
score_rank = 64
message_rank = 256
redundant = 4096
learned = 384
fully_connected = 384_000


# %% one_head: the weights of one head
# loses: weights
parameters = 589_824
more_heads = 786_432
weights = 200 * 200
causal_weights = 200 * 201 // 2
score_rank = 64
message_rank = 256
redundant = 4096
learned = 384
fully_connected = 384_000


# %% rank_d: ranks limited by the model alone
# loses: ranks
parameters = 589_824
more_heads = 786_432
weights = 240_000
causal_weights = 120_600
score_rank = 384
message_rank = 4 * 384
redundant = 4096
learned = 384
fully_connected = 384_000


# %% rank_not_added: ranks that are not added
# loses: ranks
parameters = 589_824
more_heads = 786_432
weights = 240_000
causal_weights = 120_600
score_rank = 64
message_rank = 64
redundant = 4096
learned = 384
fully_connected = 384_000


# %% redundant_dk: one of both matrices as redundant
# loses: redundant
parameters = 589_824
more_heads = 786_432
weights = 240_000
causal_weights = 120_600
score_rank = 64
message_rank = 256
redundant = 384 * 64
learned = 384
fully_connected = 384_000


# %% redundant_k: as many redundant parameters as the head is wide
# loses: redundant
parameters = 589_824
more_heads = 786_432
weights = 240_000
causal_weights = 120_600
score_rank = 64
message_rank = 256
redundant = 64
learned = 384
fully_connected = 384_000
