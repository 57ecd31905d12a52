"""the number of tokens"""

# loses: count
n_scores = 15
