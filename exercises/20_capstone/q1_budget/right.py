"""Right answers to question 20.1."""


# %% numbers: Numbers.
parameters = 132336
operations = 752256
steps = 2596
bits = 0.692494
predicted = 0.966667


# %% longhand: Every matrix by itself, and the law through its exponent.
blocks = 3 * (4 * 48 * 48 + 48 * 192 + 192 * 48)
parameters = blocks + 500 * 48 + 48 * 500 + 3 * 9 * 48 + 2 * 48
forward = 2 * blocks + 3 * (2 * 64 * 48 + 2 * 64 * 48) + 2 * 48 * 500
operations = forward + 2 * forward
steps = math.floor(1e12 / (operations * 512))
bits = 1.6 / math.log(2) / (30000 / 9000)
exponent = math.log(0.6 / 0.2) / math.log(10)
predicted = 0.9 + 0.6 * 100**-exponent
