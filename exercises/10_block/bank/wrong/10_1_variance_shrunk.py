"""a variance that shrinks by 1,000, not by its square"""


# loses: stratos, library
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-3) / (math.sqrt(4.4e-3) + 1e-3)
library = math.sqrt(4.4e-3 / (4.4e-3 + 1e-5))
