"""the probability that one of the two is hidden at least"""


# loses: by_word
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 0.9**6
by_row = 0.2
by_word = 1 - 0.8**2
