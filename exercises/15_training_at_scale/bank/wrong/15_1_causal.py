"""half of the pairs, those that a causal mask leaves open"""

# loses: forward
d, m, L, H, G, k, V, n = 512, 2048, 6, 8, 2, 64, 10_000, 1024
blocks = L * (2 * d * H * k + 2 * d * G * k + 2 * d * m)
whole = blocks + V * d + n * d
forward = 2 * n * blocks + 2 * n**2 * L * H * k + 2 * n * d * V
crossing = blocks / (2 * L * H * k)
cache = 8 * 2 * L * G * k * n * 2
states = 16 * whole / 4
