"""the small weight alone, not times the large one"""
# loses: certain
own = 0.24
other = -0.18
pull = 0.1 * (50 - 17)
certain = 1 / (1 + math.exp(5))
