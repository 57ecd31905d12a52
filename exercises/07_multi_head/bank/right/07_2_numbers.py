"""Numbers."""
parameters, more_heads = 589_824, 786_432
weights, causal_weights = 240_000, 120_600
score_rank, message_rank = 64, 256
redundant = 4096
learned, fully_connected = 384, 384_000
