"""one weight per hidden unit for each object"""
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
