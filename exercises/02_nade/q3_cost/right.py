"""Right answers to question 02.3."""


# %% closed: Closed formulas.
parameters = 42000 + 3000 + 700
naive = 100 * 100 * 210
shared = 199 * 210
indexed = 100 * 210


# %% counted: Counted in loops.
sizes = {"V": (100, 30, 7), "c": (100, 30), "W": (100, 7, 30), "b": (100, 7)}
parameters = sum(math.prod(size) for size in sizes.values())
naive = 0
for t in range(1, 101):
    naive += (t - 1) * 210 + t * 210
shared = sum(210 for t in range(1, 101)) + sum(210 for t in range(2, 101))
indexed = sum(210 for t in range(1, 101))
