"""another key's derivative with the wrong sign"""
# loses: derivatives
own = 0.24
other = 0.18
pull = 0.1 * (50 - 17)
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2
