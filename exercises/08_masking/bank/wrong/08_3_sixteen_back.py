"""sixteen places back for each block and one block more"""

# loses: windows
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 22140
open_cells = 34
blocks = 8
