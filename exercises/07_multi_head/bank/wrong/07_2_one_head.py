"""the weights of one head"""
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
