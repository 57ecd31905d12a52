"""the share of the zeros instead of that of the real keys"""

# loses: zeros
shrink = 7 / 13
biased = 0.7
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
