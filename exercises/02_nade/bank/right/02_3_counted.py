"""Counted in loops."""
sizes = {"V": (100, 20, 5), "c": (100, 20), "W": (100, 5, 20), "b": (100, 5)}
parameters = sum(math.prod(size) for size in sizes.values())
naive = 0
for t in range(1, 101):
    naive += (t - 1) * 100 + t * 100
shared = sum(100 for t in range(1, 101)) + sum(100 for t in range(2, 101))
indexed = sum(100 for t in range(1, 101))
