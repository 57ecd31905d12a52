"""attention across the sequences of the batch"""

# loses: count
n_scores = 225
