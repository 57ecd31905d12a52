"""the Jacobian without the factor 1 / sigma"""
# loses: slope
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = 0.8 - 16 / 22
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5
