"""the value itself in place of its distance from the answer"""
# loses: pull
own = 0.24
other = -0.18
pull = 0.1 * 50
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2
