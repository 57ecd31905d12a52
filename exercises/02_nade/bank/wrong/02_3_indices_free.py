"""a count in which picking a column still costs a multiplication for each hidden unit"""
# loses: indexed
parameters, naive, shared = 45700, 2100000, 41790
indexed = 100 * 30 * 7 + 99 * 30
