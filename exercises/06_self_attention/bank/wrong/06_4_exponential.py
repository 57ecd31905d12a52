"""the derivative of the numerator alone: alpha and zero"""
# loses: derivatives
own = 0.6
other = 0
pull = 0.1 * (50 - 17)
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2
