"""a causal mask in which no object sees itself"""
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
