"""attentions of three matrices each"""

# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 6 * 256**2 + 2 * 256 * 1024
more = 14 / 11
scores = 75
