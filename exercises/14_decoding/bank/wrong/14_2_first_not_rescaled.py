"""a set for top-p before top-k is rescaled, or without top-k"""


# loses: first
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15 + 0.1)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))
