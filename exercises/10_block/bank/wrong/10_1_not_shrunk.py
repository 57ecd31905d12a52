"""features that were not divided by 1,000"""
# loses: stratos, library
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = (0.8 - 16 / 22) / 4.4**0.5
stratos = 4.4**0.5 / (4.4**0.5 + 0.001)
library = (4.4 / (4.4 + 1e-5)) ** 0.5
