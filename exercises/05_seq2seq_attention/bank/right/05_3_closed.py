"""Typed numbers, rounded to six digits or more."""


words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [0.7272727, 0.8181818]
unmasked = 0.6666667
exact_bits = 1.7146026
bound_bits = 2.25
local_scores = 128
