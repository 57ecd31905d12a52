"""Closed formulas."""
parameters = 20000 + 2000 + 500
naive = 100 * 100 * 100
shared = 199 * 100
indexed = 100 * 100
