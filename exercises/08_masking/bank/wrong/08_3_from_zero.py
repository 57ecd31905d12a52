"""prefixes from 0 to one word less"""

# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 4950
scores = 20540
open_cells = 34
blocks = 14
