"""causal scores, of the past alone"""

# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = sum(j * (j + 1) // 2 for j in range(1, 41))
open_cells = 34
blocks = 14
