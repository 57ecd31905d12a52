"""four open cells in every row"""

# loses: windows
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 22140
open_cells = 40
blocks = 14
