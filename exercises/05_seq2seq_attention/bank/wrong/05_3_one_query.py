"""one query in place of 20"""


# loses: costs
words = 205
additive = 64 * 48 + 30 * 64 * 48 + 30 * 48
dot = 1920
inner_bytes = 32 * 30 * 48 * 4
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128
