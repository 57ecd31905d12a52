"""cross-attention without a query matrix of its own"""


# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 7 * 256**2 + 2 * 256 * 1024
more = 15 / 12
scores = 75
