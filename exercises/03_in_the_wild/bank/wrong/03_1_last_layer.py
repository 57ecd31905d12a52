"""the reach of the last layer alone"""

# loses: one stack, three stacks, depth
field = 513
milliseconds = 513 / 16
doubled = 10
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784
