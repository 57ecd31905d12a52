"""a deviation that does not move with its features"""
# loses: slope
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = 0.8 / 4.4**0.5
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5
