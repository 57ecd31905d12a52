"""the variance of the mask alone"""


# loses: variance
kept = 4.0
variance = 0.25 * 0.75
row_sum = 0.625
intact = 0.9**6
by_row = 0.2
by_word = 0.04
