"""a quarter before the peak reached at a sixteenth of its step"""


# loses: early
peak = (256 * 1000) ** -0.5
early = 1000 / 16
late = 16000
weights = 8 * 256**2 + 2 * 256 * 1024
more = 4 / 3
scores = 75
