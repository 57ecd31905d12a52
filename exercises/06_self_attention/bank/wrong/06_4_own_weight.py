"""only the third weight's own change, not that of the two others"""
# loses: pull
own = 0.24
other = -0.18
pull = 0.1 * 0.9 * 50
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2
