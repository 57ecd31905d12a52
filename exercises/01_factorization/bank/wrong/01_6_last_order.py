"""the excess of the highest order instead of the best one"""
# loses: consistency
losses = [4.6376, 1.9983, 1.4980, 1.4011, 1.4052]
source = 0.9000
gained = [a - b for a, b in zip(losses, losses[1:])]
excess = losses[-1] - source
