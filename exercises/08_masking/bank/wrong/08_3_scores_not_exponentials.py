"""scores in place of their exponentials, of which a zero has none"""

# loses: zeros
shrink = 6 / 6.0000001
biased = 6 / 20.0000001 * 1.01
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
