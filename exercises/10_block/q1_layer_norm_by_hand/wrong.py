"""Named mistakes in question 10.1."""


# %% absolute: the mean absolute deviation
# loses: deviation
deviation = 8 / 5
last = 4 / math.sqrt(4.4)
slope = (1 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-6) / (math.sqrt(4.4e-6) + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))


# %% constant_deviation: a deviation that does not move with its features
# loses: slope
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = 0.8 / 4.4**0.5
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5


# %% constant_mean: a mean that does not move with its features
# loses: slope
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-6) / (math.sqrt(4.4e-6) + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))


# %% median: the median in place of the mean
# loses: last
deviation = math.sqrt(4.4)
last = (7 - 2) / math.sqrt(4.4)
slope = (1 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-6) / (math.sqrt(4.4e-6) + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))


# %% no_epsilons: a deviation of 1, as if there were no epsilon
# loses: stratos, library
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = 1.0
library = 1.0


# %% no_factor: the Jacobian without the factor 1 / sigma
# loses: slope
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = 0.8 - 16 / 22
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5


# %% no_mean: the mean not subtracted
# loses: last
deviation = 4.4**0.5
last = 7 / 4.4**0.5
slope = (0.8 - 16 / 22) / 4.4**0.5
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5


# %% not_shrunk: features that were not divided by 1,000
# loses: stratos, library
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = (0.8 - 16 / 22) / 4.4**0.5
stratos = 4.4**0.5 / (4.4**0.5 + 0.001)
library = (4.4 / (4.4 + 1e-5)) ** 0.5


# %% not_squared: the last output in the Jacobian, not its square
# loses: slope
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 1 / 5 - 4 / math.sqrt(4.4) / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-6) / (math.sqrt(4.4e-6) + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))


# %% off_diagonal: the Jacobian's terms for another feature's input, without the 1
# loses: slope
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (0 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-6) / (math.sqrt(4.4e-6) + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))


# %% only_division: a mean and a deviation that do not move with the features
# loses: slope
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = 4.4**-0.5
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5


# %% outside: the epsilon outside the root
# loses: library
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = (0.8 - 16 / 22) / 4.4**0.5
stratos = 1 / (1 + 4.4**-0.5)
library = 0.001 * 4.4**0.5 / (0.001 * 4.4**0.5 + 1e-5)


# %% plus: the deviation's term with a plus sign
# loses: slope
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 1 / 5 + 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-6) / (math.sqrt(4.4e-6) + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))


# %% root: the variance over the variance and epsilon, without the root
# loses: library
deviation = 4.4**0.5
last = 4 / 4.4**0.5
slope = (0.8 - 16 / 22) / 4.4**0.5
stratos = 1 / (1 + 4.4**-0.5)
library = 4.4 / (4.4 + 10)


# %% sample: the sample deviation, which divides by one less
# loses: deviation, last, slope, stratos, library
deviation = 5.5**0.5
last = 4 / 5.5**0.5
slope = (0.8 - 16 / 27.5) / 5.5**0.5
stratos = 1 / (1 + 5.5**-0.5)
library = (1 + 10 / 5.5) ** -0.5


# %% squares: the variance in place of the deviation, in both terms
# loses: stratos
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = 4.4e-6 / (4.4e-6 + 1e-3)
library = math.sqrt(4.4e-6 / (4.4e-6 + 1e-5))


# %% variance: the variance in place of the deviation
# loses: deviation, last
deviation = 4.4
last = 4 / 4.4
slope = (0.8 - 16 / 22) / 4.4**0.5
stratos = 1 / (1 + 4.4**-0.5)
library = (1 + 10 / 4.4) ** -0.5


# %% variance_shrunk: a variance that shrinks by 1,000, not by its square
# loses: stratos, library
deviation = math.sqrt(4.4)
last = 4 / math.sqrt(4.4)
slope = (1 - 1 / 5 - 16 / 4.4 / 5) / math.sqrt(4.4)
stratos = math.sqrt(4.4e-3) / (math.sqrt(4.4e-3) + 1e-3)
library = math.sqrt(4.4e-3 / (4.4e-3 + 1e-5))
