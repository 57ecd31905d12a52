"""keys at a distance of 3 left out"""


# loses: window
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 94
