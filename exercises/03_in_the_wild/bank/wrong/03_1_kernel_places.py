"""kernels that reach k places back, not k - 1"""

# loses: one stack, three stacks, depth
field = 2047
milliseconds = (1 + 3 * 2046) / 16
doubled = 9
plain = 261
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784
