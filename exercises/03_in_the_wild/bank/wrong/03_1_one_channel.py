"""an image of one channel"""

# loses: codes
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 8 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784
