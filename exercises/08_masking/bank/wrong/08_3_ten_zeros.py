"""ten zeros instead of seven"""

# loses: zeros
shrink = 6 / 16
biased = 6 / 26
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
