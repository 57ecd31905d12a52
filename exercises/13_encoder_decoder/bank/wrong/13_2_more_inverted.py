"""the encoder's weights over the decoder's"""


# loses: more
peak = (256 * 1000) ** -0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 3 / 4
scores = 75
