"""a count without the products at the last position"""
# loses: indexed
parameters, naive, shared = 45700, 2100000, 41790
indexed = 99 * 30 * 7
