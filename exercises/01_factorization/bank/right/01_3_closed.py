"""The geometric sums in closed form."""
V, T, p = 4, 6, 2
table = V**T - 1
history = V ** (p + 1) - 1
chain = V**T - 1
distributions = 21
