"""the exponential of a sum taken for the sum of exponentials"""


# loses: weights
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [7 / 10, 8 / 10]
unmasked = 7 / 11
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128
