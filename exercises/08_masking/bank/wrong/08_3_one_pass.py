"""a single pass"""

# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 100
scores = 1600
open_cells = 34
blocks = 14
