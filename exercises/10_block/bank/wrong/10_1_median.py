"""the median in place of the mean"""


# loses: last
deviation = math.sqrt(4.4)
last = (7 - 2) / math.sqrt(4.4)
slope = (1 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-6) / (math.sqrt(4.4e-6) + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))
