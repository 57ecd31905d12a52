"""zeros that weigh nothing"""

# loses: zeros
shrink = 1.0
biased = 1.0
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
