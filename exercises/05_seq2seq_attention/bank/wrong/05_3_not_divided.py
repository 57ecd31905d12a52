"""exponentials that are not divided by their sum"""


# loses: weights
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8, 9]
unmasked = 8
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128
