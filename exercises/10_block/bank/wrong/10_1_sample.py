"""the sample deviation, which divides by one less"""
# loses: deviation, last, slope, stratos, library
deviation = 5.5**0.5
last = 4 / 5.5**0.5
slope = (0.8 - 16 / 27.5) / 5.5**0.5
stratos = 1 / (1 + 5.5**-0.5)
library = (1 + 10 / 5.5) ** -0.5
