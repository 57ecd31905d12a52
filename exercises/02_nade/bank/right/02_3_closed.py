"""Closed formulas."""
parameters = 42000 + 3000 + 700
naive = 100 * 100 * 210
shared = 199 * 210
indexed = 100 * 210
