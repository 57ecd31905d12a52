"""steps counted from the peak on"""


# loses: late
peak = (256 * 1000) ** -0.5
early = 250
late = 15000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 75
