"""seconds in place of milliseconds"""

# loses: three stacks
field = 1024
milliseconds = 3070 / 16000
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784
