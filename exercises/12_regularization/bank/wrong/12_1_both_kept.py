"""the probability that both are kept"""


# loses: words
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 0.9**6
by_row = 0.8
by_word = 0.64
