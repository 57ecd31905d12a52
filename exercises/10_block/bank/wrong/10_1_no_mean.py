"""the mean not subtracted"""
# loses: last
deviation = 4.4**0.5
last = 7 / 4.4**0.5
slope = (0.8 - 16 / 22) / 4.4**0.5
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5
