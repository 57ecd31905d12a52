"""scores in place of weights"""


# loses: weights
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [math.log(12), math.log(18)]
unmasked = math.log(12)
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128
