"""Right answers to question 03.1."""


# %% loops: Counted with loops.
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


# %% numbers: Numbers from a pocket calculator.
field, milliseconds = 1024, 191.875
doubled, plain = 9, 392
smaller = 42.66667
uniform = 305.677907
bits = 0.1625424
