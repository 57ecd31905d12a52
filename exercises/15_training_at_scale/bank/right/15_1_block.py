"""One block first, then six of them, and rates per token."""

square = 512 * 512
block = 2 * square + 2 * square // 4 + 8 * square
blocks = 6 * block
whole = blocks + 512 * (10_000 + 1024)
per_token = 2 * blocks + 6 * 4 * 1024 * 512 + 2 * 512 * 10_000
forward = 1024 * per_token
crossing = 2 * blocks / (4 * 6 * 512)
cache = 2 * (8 * 1024 * 6 * 2 * 128)
states = (4 + 4 + 8) * whole / 4
