"""Right answers to question 01.2."""


# %% loop: Counting in loops.
n_scores = float(sum(1 for _ in range(3) for _ in range(5) for _ in range(5)))


# %% product: The product.
n_scores = 3 * 5**2
