"""The product."""

n_scores = 3 * 5**2
