"""the last key's weight for both numbers"""


# loses: weights
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [6 / 11, 6 / 11]
unmasked = 6 / 12
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128
