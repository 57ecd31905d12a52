"""matrices with biases"""
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
