"""Right answers to question 12.1."""


# %% numbers: Plain numbers.
kept, variance = 4, 3
row_sum, intact = 0.625, 0.531441
by_row, by_word = 0.2, 0.04


# %% words: Each number from its definition.
kept = 3 * (1 / (1 - 0.25))
variance = 0.75 * kept**2 - 9
row_sum = 0.3 / 0.8 + 0.2 / 0.8
intact = (1 - 0.1) ** 6
by_row = 1 - 0.8
by_word = 0.2 * 0.2
