"""the ratio of the two exponentials, exp(-5)"""
# loses: certain
own = 0.24
other = -0.18
pull = 0.1 * (50 - 17)
certain = math.exp(-5)
