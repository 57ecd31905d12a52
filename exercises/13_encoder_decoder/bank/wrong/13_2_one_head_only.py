"""attentions of one head of 64 features"""

# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 2 * 4 * 256 * 64 + 2 * 256 * 1024
more = 10 / 9
scores = 75
