"""the variance over the variance and epsilon, without the root"""
# loses: library
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = (0.8 - 16 / 22) / 4.4**0.5
stratos = 1 / (1 + 4.4**-0.5)
library = 4.4 / (4.4 + 10)
