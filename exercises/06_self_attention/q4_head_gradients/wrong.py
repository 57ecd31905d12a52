"""Named mistakes in question 06.4."""


# %% answer: the answer instead of its derivative
# loses: pull
own = 0.24
other = -0.18
pull = 17
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2


# %% exponential: the derivative of the numerator alone: alpha and zero
# loses: derivatives
own = 0.6
other = 0
pull = 0.1 * (50 - 17)
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2


# %% largest: the slope of the undecided head, 1/4
# loses: certain
own = 0.24
other = -0.18
pull = 0.1 * (50 - 17)
certain = 0.25


# %% no_average: the value itself in place of its distance from the answer
# loses: pull
own = 0.24
other = -0.18
pull = 0.1 * 50
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2


# %% own_weight: only the third weight's own change, not that of the two others
# loses: pull
own = 0.24
other = -0.18
pull = 0.1 * 0.9 * 50
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2


# %% ratio: the ratio of the two exponentials, exp(-5)
# loses: certain
own = 0.24
other = -0.18
pull = 0.1 * (50 - 17)
certain = math.exp(-5)


# %% sign: another key's derivative with the wrong sign
# loses: derivatives
own = 0.24
other = 0.18
pull = 0.1 * (50 - 17)
certain = math.exp(-5) / (1 + math.exp(-5)) ** 2


# %% tail: the small weight alone, not times the large one
# loses: certain
own = 0.24
other = -0.18
pull = 0.1 * (50 - 17)
certain = 1 / (1 + math.exp(5))
