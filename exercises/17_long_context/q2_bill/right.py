"""Right answers to question 17.2."""


# %% counted: Counting layers and texts one by one.
reach, layers, seen = 0, 0, 0
for _ in range(6):
    reach += 128
while seen < 1000:
    layers, seen = layers + 1, seen + 192
per_word = 0
for _ in range(32):
    per_word += 8 * (128 + 128) * 2
texts = 0
while (texts + 1) * 32_768 * per_word <= 60e9:
    texts += 1


# %% numbers: Numbers.
reach = 768
layers = 6
per_word = 131072
texts = 13


# %% powers: Powers of two.
reach = 3 * 2**8
layers = -(-1000 // 192)
per_word = 2**17
texts = int(60e9) // 2**32
