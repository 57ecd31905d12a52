"""the probability that both are kept"""


# loses: by_row, by_word
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 0.9**6
by_row = 0.8
by_word = 0.64
