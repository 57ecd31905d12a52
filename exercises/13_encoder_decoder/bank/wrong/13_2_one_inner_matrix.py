"""a network of one matrix"""

# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 256 * 1024
more = 12 / 8
scores = 75
