"""a block of the decoder with one attention"""


# loses: weights, more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 4 * 256**2 + 2 * 256 * 1024
more = 1
scores = 75
