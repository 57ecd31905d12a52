"""six zeros in place of seven"""

# loses: zeros
shrink = 6 / 12
biased = 6 / 18
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
