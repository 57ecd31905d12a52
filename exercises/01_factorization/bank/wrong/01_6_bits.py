"""losses in bits, not in nats"""
# loses: losses, source
losses = [v / math.log(2) for v in [4.6376, 1.9983, 1.4980, 1.4011, 1.4052]]
source = 0.9000 / math.log(2)
gained = [a - b for a, b in zip(losses, losses[1:])]
excess = min(losses) - source
