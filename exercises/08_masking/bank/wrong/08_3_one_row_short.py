"""the last pass left out"""

# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 4950
scores = 39 * 40 * 79 // 6
open_cells = 34
blocks = 14
