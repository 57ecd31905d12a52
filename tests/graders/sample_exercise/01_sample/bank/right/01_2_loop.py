"""Counting in loops."""

n_scores = float(sum(1 for _ in range(3) for _ in range(5) for _ in range(5)))
