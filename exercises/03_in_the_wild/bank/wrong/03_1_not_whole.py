"""a number of layers that is not rounded up to a whole one"""


# loses: depth
field = 1024
milliseconds = 3070 / 16
doubled = math.log2(783 / 2 + 1)
plain = 783 / 2
smaller = 64 * 64 * 3 * 8 / (16 * 16 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / 784 / math.log(2)
