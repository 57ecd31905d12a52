"""layers counted as if they had no dilation"""

# loses: one stack, three stacks
field = 11
milliseconds = 31 / 16
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784
