"""a mean that does not move with its features"""


# loses: slope
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-6) / (math.sqrt(4.4e-6) + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))
