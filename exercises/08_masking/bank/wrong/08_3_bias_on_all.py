"""a bias that counts once for all zeros together"""

# loses: zeros
shrink = 6 / 13
biased = 6 / (6 + 2)
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
