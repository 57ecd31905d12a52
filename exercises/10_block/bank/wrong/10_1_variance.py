"""the variance in place of the deviation"""
# loses: deviation, last
deviation = 4.4
last = 4 / 4.4
slope = (0.8 - 16 / 22) / 4.4**0.5
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5
