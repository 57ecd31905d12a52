"""the number for one sequence"""

# loses: count
n_scores = 25
