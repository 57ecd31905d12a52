"""the matrices that read objects alone, without those that write"""
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
