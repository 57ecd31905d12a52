"""matrices of full width for each of the four heads"""


# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 4 * 8 * 256**2 + 2 * 256 * 1024
more = 40 / 24
scores = 75
