"""one of both matrices as redundant"""
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
