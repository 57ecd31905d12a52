"""gains with the sign reversed"""
# loses: consistency
losses = [4.6376, 1.9983, 1.4980, 1.4011, 1.4052]
source = 0.9000
gained = [b - a for a, b in zip(losses, losses[1:])]
excess = min(losses) - source
