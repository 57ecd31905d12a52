"""Each number from its definition."""
kept = 3 * (1 / (1 - 0.25))
variance = 0.75 * kept**2 - 9
row_sum = 0.3 / 0.8 + 0.2 / 0.8
intact = (1 - 0.1) ** 6
by_row = 1 - 0.8
by_word = 0.2 * 0.2
