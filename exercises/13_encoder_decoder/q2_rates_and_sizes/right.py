"""Right answers to question 13.2."""


# %% counted: Found by trying all steps, and by counting cells.
def rate(step):
    return 256**-0.5 * min(step**-0.5, step * 1000**-1.5)


peak = max(rate(step) for step in range(1, 2001))
early = next(step for step in range(1, 1001) if rate(step) >= peak / 4 * (1 - 1e-12))
late = next(step for step in range(1001, 20001) if rate(step) <= peak / 4 * (1 + 1e-12))
attention, network = 4 * 256 * 256, 256 * 1024 + 1024 * 256
weights = 2 * attention + network
more = weights / (attention + network)
scores = sum(1 for i in range(6) for j in range(6) if j <= i) + 6 * 9


# %% numbers: Numbers from a pocket calculator.
peak, early, late = 0.00197642354, 250.0, 16000.0
weights, more, scores = 1048576, 1.33333333, 75.0
