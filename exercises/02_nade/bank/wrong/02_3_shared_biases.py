"""a count with one c and one b for all positions"""
# loses: parameters
parameters = 2 * 100 * 20 * 5 + 20 + 5
naive, shared, indexed = 1000000, 19900, 10000
