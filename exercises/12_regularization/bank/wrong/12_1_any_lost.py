"""the probability that something is lost"""


# loses: many
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 1 - 0.9**6
by_row = 0.2
by_word = 0.04
