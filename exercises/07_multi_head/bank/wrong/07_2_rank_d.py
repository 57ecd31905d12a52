"""ranks limited by the model alone"""
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
