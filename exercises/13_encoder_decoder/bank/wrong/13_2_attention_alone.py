"""blocks of attention alone"""

# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2
more = 2
scores = 75
