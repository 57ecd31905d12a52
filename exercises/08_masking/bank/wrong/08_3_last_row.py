"""scores of the last row of each pass alone"""

# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 820
open_cells = 34
blocks = 14
