"""a draw for each occurrence of a row"""


# loses: by_row
kept = 4.0
variance = 3.0
row_sum = 0.625
intact = 0.9**6
by_row = 0.04
by_word = 0.04
