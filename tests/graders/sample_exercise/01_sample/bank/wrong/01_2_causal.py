"""the number that a causal mask leaves"""

# loses: count
n_scores = 45
