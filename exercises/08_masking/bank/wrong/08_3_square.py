"""as many rows in every pass as there are words"""

# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 10000
scores = 64000
open_cells = 34
blocks = 14
