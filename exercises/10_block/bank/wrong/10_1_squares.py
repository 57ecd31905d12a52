"""the variance in place of the deviation, in both terms"""


# loses: stratos
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = 4.4e-6 / (4.4e-6 + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))
