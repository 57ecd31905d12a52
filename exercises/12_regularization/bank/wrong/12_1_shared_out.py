"""weights that are normalized again after dropout"""


# loses: many
kept = 4.0
variance = 3.0
row_sum = 1.0
intact = 0.9**6
by_row = 0.2
by_word = 0.04
