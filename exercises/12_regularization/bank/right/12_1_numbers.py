"""Plain numbers."""
kept, variance = 4, 3
row_sum, intact = 0.625, 0.531441
by_row, by_word = 0.2, 0.04
