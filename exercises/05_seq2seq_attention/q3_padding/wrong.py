"""Named mistakes in question 05.3."""


# %% added: the exponential of a sum taken for the sum of exponentials
# loses: context, padded, half
context = [7 / 13, 17 / 13]
padded = [7 / 16, 17 / 16]
half = 14


# %% beyond_double: twice the weight of the words in place of as much
# loses: half
context = [8 / 17, 24 / 17]
padded = [8 / 20, 24 / 20]
half = 35


# %% exactly_half: exactly half of the weight taken for more
# loses: half
context = [8 / 17, 24 / 17]
padded = [8 / 20, 24 / 20]
half = 17


# %% harmless: padding of zeros taken for harmless
# loses: padded
context = [8 / 17, 24 / 17]
padded = [8 / 17, 24 / 17]
half = 18


# %% largest: more weight than the largest word alone
# loses: half
context = [8 / 17, 24 / 17]
padded = [8 / 20, 24 / 20]
half = 10


# %% no_exponentials: scores divided by their sum, without exponentials
# loses: context, padded, half
context = [math.log(12) / math.log(108), math.log(486) / math.log(108)]
padded = [math.log(12) / math.log(108), math.log(486) / math.log(108)]
half = 5


# %% not_divided: exponentials that are not divided by their sum
# loses: context, padded
context = [8, 24]
padded = [8, 24]
half = 18


# %% one_place: one place of padding in place of three
# loses: padded
context = [8 / 17, 24 / 17]
padded = [8 / 18, 24 / 18]
half = 18


# %% ones: padding with the states (1, 1), of weight 1
# loses: padded
context = [8 / 17, 24 / 17]
padded = [11 / 20, 27 / 20]
half = 18


# %% places: more places of padding than words
# loses: half
context = [8 / 17, 24 / 17]
padded = [8 / 20, 24 / 20]
half = 4


# %% scaled: scores divided by the root of the width
# loses: context, padded, half
a, b, c = (x**0.5**0.5 for x in (2, 9, 6))
context = [(a + c) / (a + b + c), (2 * b + c) / (a + b + c)]
padded = [(a + c) / (a + b + c + 3), (2 * b + c) / (a + b + c + 3)]
half = 10


# %% six_words: a division by six places more
# loses: padded
context = [8 / 17, 24 / 17]
padded = [8 / 23, 24 / 23]
half = 18


# %% state_of_one: the second state taken for (0, 1) in the sum
# loses: context, padded
context = [8 / 17, 15 / 17]
padded = [8 / 20, 15 / 20]
half = 18


# %% twice: twice ln 3 taken for ln 6
# loses: context, padded, half
context = [8 / 14, 18 / 14]
padded = [8 / 17, 18 / 17]
half = 15


# %% weights_alone: weights in place of the context, the first two
# loses: context, padded
context = [2 / 17, 9 / 17]
padded = [2 / 20, 9 / 20]
half = 18


# %% weights_kept: padding that takes a weight of 3 of 6 places
# loses: padded
context = [8 / 17, 24 / 17]
padded = [4 / 17, 12 / 17]
half = 18
