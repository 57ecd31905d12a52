"""a number of layers rounded down"""

# loses: depth
field = 1024
milliseconds = 191.875
doubled = 8
plain = 391
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784
