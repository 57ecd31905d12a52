"""Named mistakes in question 09.2."""


# %% fast: the pairs that do go around
# loses: slow
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) <= 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 96)


# %% from_one: pairs counted from 1
# loses: wavelength, slow, base
wavelength = 2 * math.pi * 10000 ** (46 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(1, 65)) + 1
base = (131072 / (2 * math.pi)) ** (128 / 98)


# %% half_exponent: an exponent of j/d in place of 2j/d
# loses: wavelength
wavelength = 2 * math.pi * 10000 ** (24 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 96)


# %% half_turn: half a turn in place of a whole one
# loses: wavelength, slow, base
wavelength = math.pi * 10000 ** (48 / 128)
slow = sum(math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / math.pi) ** (128 / 96)


# %% half_way: the positions after which the pair has gone around by half
# loses: wavelength
wavelength = math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 96)


# %% inverse_power: the exponent where its reciprocal should be
# loses: base
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (96 / 128)


# %% numbered_from_one: slow pairs among those with the numbers 1 to 64
# loses: slow
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(1, 65))
base = (131072 / (2 * math.pi)) ** (128 / 96)


# %% one_more: a base for seventeen slow pairs
# loses: base
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 94)


# %% one_less: a base for fifteen slow pairs
# loses: base
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 98)


# %% pair_exponent: an exponent of j/d in place of 2j/d throughout
# loses: wavelength, slow, base
wavelength = 2 * math.pi * 10000 ** (24 / 128)
slow = sum(2 * math.pi * 10000 ** (j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 48)


# %% proportional: a base that grows as the context does
# loses: base
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = 10000 * 131072 / 5000


# %% radians: positions per radian in place of wavelengths
# loses: wavelength, slow, base
wavelength = 10000 ** (48 / 128)
slow = sum(10000 ** (2 * j / 128) > 5000 for j in range(64))
base = 131072 ** (128 / 96)


# %% rates: the rates of turning in place of their wavelengths
# loses: wavelength
wavelength = 10000 ** (-48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 96)


# %% rounded: a wavelength rounded to a whole number
# loses: wavelength
wavelength = round(2 * math.pi * 10000 ** (48 / 128))
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 96)


# %% sixteenth_pair: pair 16 in place of the sixteenth from the slow end
# loses: base
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 32)


# %% slow_radians: the pairs that turn by less than a radian
# loses: slow
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 96)


# %% slowest_alone: a base for one slow pair, the slowest
# loses: base
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = (131072 / (2 * math.pi)) ** (128 / 126)


# %% turns_once_more: a wavelength without 2 pi in the base alone
# loses: base
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = sum(2 * math.pi * 10000 ** (2 * j / 128) > 5000 for j in range(64))
base = 131072 ** (128 / 96)
