"""Named mistakes in question 19.3."""


# %% cosine_alone: the inverse of one minus the cosine, without the slope of the sigmoid
# loses: right angle, neighbors
right_angle = 1
neighbors = 1 / (1 - math.cos(math.radians(40)))
share = 1.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * (2 * share - 1)))


# %% slope_one: a sigmoid whose slope at zero is 1 in place of 1/4
# loses: right angle
right_angle = 1 / 2
neighbors = 4 / (2 - 2 * math.cos(math.radians(40)))
share = 1.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * (2 * share - 1)))


# %% half_slope: a slope of 1/2 in place of 1/4
# loses: right angle
right_angle = 2 / 2
neighbors = 4 / (2 - 2 * math.cos(math.radians(40)))
share = 1.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * (2 * share - 1)))


# %% distance: the distance of the patterns in place of its square
# loses: right angle, neighbors
right_angle = 4 / math.sqrt(2)
neighbors = 4 / math.sqrt(2 - 2 * math.cos(math.radians(40)))
share = 1.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * (2 * share - 1)))


# %% degrees: a cosine of 40 radians
# loses: neighbors
right_angle = 4 / 2
neighbors = 4 / (2 - 2 * math.cos(40))
share = 1.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * (2 * share - 1)))


# %% sum_of_patterns: the length of the sum of the patterns in place of their difference
# loses: neighbors
right_angle = 4 / 2
neighbors = 4 / (2 + 2 * math.cos(math.radians(40)))
share = 1.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * (2 * share - 1)))


# %% sine: the sine of the angle in place of that of its half
# loses: neighbors
right_angle = 4 / 2
neighbors = 1 / math.sin(math.radians(40)) ** 2
share = 1.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * (2 * share - 1)))


# %% one_update: one update of the pattern in place of the place where updates end
# loses: share
right_angle = 4 / 2
neighbors = 4 / (2 - 2 * math.cos(math.radians(40)))
share = 1 / (1 + math.exp(-4))


# %% own_score: a sigmoid of the own score alone, without the other pattern's
# loses: share
right_angle = 4 / 2
neighbors = 4 / (2 - 2 * math.cos(math.radians(40)))
share = 1.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * share))


# %% ridge: the ridge in the middle, where updates change nothing either
# loses: share
right_angle = 4 / 2
neighbors = 4 / (2 - 2 * math.cos(math.radians(40)))
share = 1 / 2


# %% other_valley: the valley of the other pattern
# loses: share
right_angle = 4 / 2
neighbors = 4 / (2 - 2 * math.cos(math.radians(40)))
share = 0.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * (2 * share - 1)))


# %% two_digits: a valley with two digits
# loses: share
right_angle = 4 / 2
neighbors = 4 / (2 - 2 * math.cos(math.radians(40)))
share = 0.98


# %% temperatures: temperatures, the reciprocals of beta
# loses: right angle, neighbors
right_angle = 2 / 4
neighbors = (2 - 2 * math.cos(math.radians(40))) / 4
share = 1.0
for _ in range(500):
    share = 1 / (1 + math.exp(-4 * (2 * share - 1)))
