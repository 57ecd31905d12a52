"""Named mistakes in question 15.1."""


# %% all_heads: a bill with as many heads of keys and values as of queries
# loses: blocks, whole, forward, crossing, cache, states
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (4 * d * H * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 4 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * H * k * n * 2
states = 16 * whole / 4


# %% causal: half of the pairs, those that a causal mask leaves open
# loses: forward
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 2 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * G * k * n * 2
states = 16 * whole / 4


# %% keys_without_values: a cache of keys without values
# loses: cache
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 4 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * L * G * k * n * 2
states = 16 * whole / 4


# %% multiplications: multiplications alone, without the additions
# loses: forward
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = n * blocks + 2 * n**2 * L * H * k + n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * G * k * n * 2
states = 16 * whole / 4


# %% no_head: the operations of the blocks, without the head
# loses: forward
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 4 * n**2 * L * H * k
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * G * k * n * 2
states = 16 * whole / 4


# %% no_positions: a model without its table of positions
# loses: whole, states
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d
forward = 2 * n * blocks + 4 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * G * k * n * 2
states = 16 * whole / 4


# %% not_sharded: states that every worker holds whole
# loses: states
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 4 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * G * k * n * 2
states = 16 * whole


# %% numbers_for_bytes: numbers in place of bytes
# loses: cache, states
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 4 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * G * k * n
states = 4 * whole / 4


# %% one_mean: an optimizer with one mean
# loses: states
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 4 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * G * k * n * 2
states = 12 * whole / 4


# %% scores_only: scores without the mixing of the values
# loses: forward, crossing
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 2 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (L * H * k)
cache = 8 * 2 * L * G * k * n * 2
states = 16 * whole / 4


# %% six_widths: the crossing at six times the width, which holds without shared heads
# loses: crossing
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 4 * n**2 * L * H * k + 2 * n * d * V
crossing = 6 * d
cache = 8 * 2 * L * G * k * n * 2
states = 16 * whole / 4


# %% untied: a model whose head has a matrix of its own
# loses: whole, states
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + 2 * V * d + n * d
forward = 2 * n * blocks + 4 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * G * k * n * 2
states = 16 * whole / 4
