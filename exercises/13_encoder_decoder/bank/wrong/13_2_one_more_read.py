"""a decoder that reads seven words"""

# loses: scores
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 16 / 12
scores = 28 + 63
