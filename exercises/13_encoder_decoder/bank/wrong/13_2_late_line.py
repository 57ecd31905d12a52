"""a rate that falls in a line after the peak"""


# loses: late
peak = (256 * 1000) ** -0.5
early = 250
late = 4000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 75
