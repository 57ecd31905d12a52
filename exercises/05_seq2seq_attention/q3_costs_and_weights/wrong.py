"""Named mistakes in question 05.3."""


# %% added: the exponential of a sum taken for the sum of exponentials
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


# %% additions_too: additions counted as well
# loses: costs
words = 205
additive = 182400
dot = 76200
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% bits_as_words: one word for each bit of the state
# loses: bottleneck
words = 2048
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% elements: numbers counted in place of bytes
# loses: costs
words = 205
additive = 182400
dot = 38400
inner_bytes = 921600
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% equal_choices: the three choices taken for equally likely
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


# %% every_pair: the scores of global attention
# loses: window
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 400


# %% exchanged: the exact value and the bound exchanged
# loses: choices
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = 2.25
bound_bits = math.log2(128 / 39)
local_scores = 128


# %% harmless: padding of zeros taken for harmless
# loses: weights
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 8 / 11
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% hidden_in_dot: 48 hidden units in a dot product, which has none
# loses: costs
words = 205
additive = 182400
dot = 28800
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% inside_three: keys at a distance of 3 left out
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


# %% keys_alone: queries not projected
# loses: costs
words = 205
additive = 120960
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% letters: bits of the numbers 0 to 999 rounded up to 10
# loses: bottleneck
words = 204
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% likely: the most likely choice alone
# loses: choices
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = 1.0
bound_bits = 2.25
local_scores = 128


# %% nats: the natural logarithm of 1000 in place of the binary one
# loses: bottleneck
words = 296
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% nats_choices: nats in place of bits
# loses: choices
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log(128 / 39)
bound_bits = 2.25 * math.log(2)
local_scores = 128


# %% no_ends: windows that are not cut off at the ends
# loses: window
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 140


# %% no_exponentials: scores in place of weights
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


# %% no_projections: the projections left out of the count
# loses: costs
words = 205
additive = 28800
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% no_v: the product with v left out of the count
# loses: costs
words = 205
additive = 153600
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% not_divided: exponentials that are not divided by their sum
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


# %% numbers_as_words: one word for each number of the state
# loses: bottleneck
words = 64
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% one_end: windows cut off at one end only
# loses: window
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 134


# %% one_query: one query in place of 20
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


# %% one_sentence: the bytes for one sentence
# loses: costs
words = 205
additive = 182400
dot = 38400
inner_bytes = 115200
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% one_side: windows that look to one side only
# loses: window
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 74


# %% own_place: the query's own place left out
# loses: window
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 108


# %% pairs: one multiplication for each pair in the dot product
# loses: costs
words = 205
additive = 182400
dot = 600
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% probability: a probability in place of its bits
# loses: choices
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = 39 / 128
bound_bits = 2.25
local_scores = 128


# %% projected_each_time: keys and queries projected again for every pair
# loses: costs
words = 205
additive = 3715200
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% rounded_up: a number of words rounded up
# loses: bottleneck
words = 206
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% scaled: scores divided by the root of the width
# loses: weights
a, b, c = (n ** 0.5**0.5 for n in (2, 3, 6))
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [(a + c) / (a + b + c), (b + c) / (a + b + c)]
unmasked = (a + c) / (a + b + c + 1)
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% scores_alone: the bytes of the scores, without the hidden units
# loses: costs
words = 205
additive = 182400
dot = 38400
inner_bytes = 76800
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% scores_as_weights: scores divided by their sum, without exponentials
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


# %% signs: logarithms without the minus
# loses: choices
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = -math.log2(128 / 39)
bound_bits = -2.25
local_scores = 128


# %% third: the last key's weight for both numbers
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


# %% weight_alone: the weight of h_1 instead of the first number of the context, with padding
# loses: weights
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 12
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% wide_inner: 64 hidden units in place of 48 in the bytes
# loses: costs
words = 205
additive = 182400
dot = 38400
inner_bytes = 4915200
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 128


# %% width_of_three: windows of three keys in all
# loses: window
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [8 / 11, 9 / 11]
unmasked = 2 / 3
exact_bits = math.log2(128 / 39)
bound_bits = 2.25
local_scores = 58
