"""Named mistakes in question 09.2."""


# %% added: a penalty that is added to the score
# loses: penalty
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(12 / 8)


# %% base_two: powers of 2 in place of exponentials
# loses: penalty
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = 2 ** (-12 / 8)


# %% distances: distances without 0
# loses: relative
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 128 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% equal_steps: a rate of 1/10 for the second pair
# loses: similarity
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.2)
penalty = math.exp(-12 / 8)


# %% fast: the pairs that do go around
# loses: slow
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) <= 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% half_exponent: an exponent of j/d in place of 2j/d
# loses: wavelength
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (24 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% head_from_zero: heads counted from 0
# loses: penalty
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 4)


# %% joint_no_one_hot: a joint form that maps e as if it had d features
# loses: joint
one_hot = 256 * 256 + 2048 * 256
joint = 3 * 256 * 1024
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% joint_no_output: the joint form without its output matrix
# loses: joint
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% linear_slopes: slopes that are multiples of 1/H
# loses: penalty
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 * 3 / 8)


# %% mean: the mean of the cosines
# loses: similarity
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = (math.cos(2) + math.cos(0.02)) / 2
penalty = math.exp(-12 / 8)


# %% model_width: vectors of distances as wide as the model
# loses: relative
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 256
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% no_circle: positions per radian in place of a wavelength
# loses: wavelength
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% one_block: vectors of distances of a single block
# loses: relative
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% one_hot_alone: the one-hot vectors without the features beside them
# loses: one_hot
one_hot = 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% one_side: distances on one side
# loses: relative
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 65 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% only_table: the one-hot table alone, and the joint form without its output matrix
# loses: one_hot, joint
one_hot = 2048 * 256
joint = 256 * 1024 + 2048 * 1024
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% pair_exponent: an exponent with the number of the pair in place of the column
# loses: wavelength, slow
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (24 / 128)
slow = sum(2 * math.pi * 10000 ** (j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% radians: positions per radian in place of wavelengths
# loses: wavelength, slow
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 10000 ** (48 / 128)
slow = sum(10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% shared_heads: vectors of distances that all heads share
# loses: relative
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% sines: a difference of cosines
# loses: similarity
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(0.02) - math.cos(2)
penalty = math.exp(-12 / 8)


# %% slow_radians: the pairs that turn by less than a radian
# loses: slow
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(10000 ** (2 * j / 128) > 5000 for j in range(64))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)
