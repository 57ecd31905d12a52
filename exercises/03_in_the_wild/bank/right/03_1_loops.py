"""Counted with loops."""

reached, layers = 0, 0
for dilation in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
    reached += dilation
field = reached + 1
milliseconds = 1000 * (3 * reached + 1) / 16000
places = 1
while places < 784:
    places += 2 * 2**layers
    layers += 1
doubled = layers
plain = -(-783 // 2)
smaller = (64 * 64 * 24) / (256 * 9)
uniform = -49 * math.log(1 / 512)
bits = 88.33 / (784 * np.log(2))
