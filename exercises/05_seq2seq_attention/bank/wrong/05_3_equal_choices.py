"""the three choices taken for equally likely"""


# loses: choices
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(48 / 13)
bound_bits = 7 / 3
local_scores = 128
