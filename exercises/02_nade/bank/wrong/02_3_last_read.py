"""a count in which the last token is read, too"""
# loses: naive, shared
parameters, indexed = 45700, 21000
naive = 2 * 30 * 7 * 100 * 101 // 2
shared = 42000
