"""a block that sees as many places back as its reach"""

# loses: windows
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 22140
open_cells = 34
blocks = math.ceil(98 / 8)
