"""Right answers to question 15.1."""


# %% block: One block first, then six of them, and rates per token.
square = 512 * 512
block = 2 * square + 2 * square // 4 + 8 * square
blocks = 6 * block
whole = blocks + 512 * (10_000 + 1024)
per_token = 2 * blocks + 6 * 4 * 1024 * 512 + 2 * 512 * 10_000
forward = 1024 * per_token
crossing = 2 * blocks / (4 * 6 * 512)
cache = 2 * (8 * 1024 * 6 * 2 * 128)
states = (4 + 4 + 8) * whole / 4


# %% numbers: The six numbers.
blocks = 16_515_072
whole = 22_159_360
forward = 57_193_529_344
crossing = 2688
cache = 25_165_824
states = 88_637_440
