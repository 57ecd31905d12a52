"""losses on the training text: the models have seen it"""
# loses: losses
losses = [4.6340, 1.9718, 1.3906, 1.1383, 0.9160]
source = 0.9000
gained = [a - b for a, b in zip(losses, losses[1:])]
excess = min(losses) - source
