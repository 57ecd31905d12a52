"""a deviation of 1, as if there were no epsilon"""


# loses: stratos, library
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = 1.0
library = 1.0
