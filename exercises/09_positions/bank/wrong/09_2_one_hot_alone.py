"""the one-hot vectors without the features beside them"""


# loses: one_hot
one_hot = 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)
