"""a count in which picking a column still costs a multiplication for each hidden unit"""
# loses: indexed
parameters, naive, shared = 22500, 1000000, 19900
indexed = 100 * 20 * 5 + 99 * 20
