"""The numbers."""
shrink = 0.46153846153846156
biased = 0.3
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
