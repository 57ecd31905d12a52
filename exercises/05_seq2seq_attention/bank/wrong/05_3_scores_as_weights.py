"""scores divided by their sum, without exponentials"""


# loses: weights
a, b, c = (math.log(n) for n in (2, 3, 6))
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [(a + c) / (a + b + c), (b + c) / (a + b + c)]
unmasked = (a + c) / (a + b + c)
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128
