"""a mean and a deviation that do not move with the features"""
# loses: slope
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = 4.4**-0.5
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5
