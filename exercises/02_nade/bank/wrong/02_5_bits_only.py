"""a report of losses in bits where nats are asked for"""
# loses: losses, consistency
independent, regression, nade = 36.381, 26.747, 26.074
gain, bits, wins = 0.673, 0.4074, 0.6275
