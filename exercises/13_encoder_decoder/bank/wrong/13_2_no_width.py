"""a peak without the width"""


# loses: peak
peak = 1000**-0.5
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 75
