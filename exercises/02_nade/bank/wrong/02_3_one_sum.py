"""a count of the products with W alone"""
# loses: naive, shared
parameters, indexed = 22500, 10000
naive = 20 * 5 * 100 * 101 // 2
shared = 10000
