"""a count with one c and one b for all positions"""
# loses: parameters
parameters = 2 * 100 * 30 * 7 + 30 + 7
naive, shared, indexed = 2100000, 41790, 21000
