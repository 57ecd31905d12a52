"""the copy and the causal mask exchanged"""

# loses: zeros
shrink = 13 / 6
biased = 0.3
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
