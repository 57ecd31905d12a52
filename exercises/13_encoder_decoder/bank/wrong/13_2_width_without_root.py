"""a peak that falls with the width, not with its root"""

# loses: peak
peak = 1000**-0.5 / 256
early = 250
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 16 / 12
scores = 75
