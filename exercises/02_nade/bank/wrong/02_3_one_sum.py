"""a count of the products with W alone"""
# loses: naive, shared
parameters, indexed = 45700, 21000
naive = 30 * 7 * 100 * 101 // 2
shared = 21000
