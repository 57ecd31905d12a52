"""the answer instead of its derivative"""
# loses: pull
own = 0.24
other = -0.18
pull = 17
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2
