"""scaling by the rate instead of what it leaves"""


# loses: kept, variance, many
kept = 3 / 0.25
variance = 9 * 0.75 / 0.25
row_sum = 0.5 / 0.2
intact = 0.9**6
by_row = 0.2
by_word = 0.04
