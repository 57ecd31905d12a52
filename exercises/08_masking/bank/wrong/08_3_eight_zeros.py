"""eight zeros in place of seven"""

# loses: zeros
shrink = 6 / 14
biased = 6 / 22
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
