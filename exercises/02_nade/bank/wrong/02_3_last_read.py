"""a count in which the last token is read, too"""
# loses: naive, shared
parameters, indexed = 22500, 10000
naive = 2 * 20 * 5 * 100 * 101 // 2
shared = 20000
