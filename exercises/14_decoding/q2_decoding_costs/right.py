"""Right answers to question 14.2."""


# %% computed: Computed in another way.
ratio = np.exp(2.1 / 0.6) / np.exp(0.6 / 0.6)
temperature = 1 / np.log2(2) * np.log2(5 / 3)
first = np.array([0.4, 0.25, 0.15])[0] / 0.8
unspoiled = np.prod(np.full(80, 0.988))
kept = 4 * 1000 * 12 * 2 * 256
products = 200 * (24 * 4096 + 6400) + 256 * 20100
alpha = (np.log(3) - np.log(2)) / (np.log(14) - np.log(8))
empty = next(n for n in range(1, 999) if 0.902**n < 0.002)


# %% typed: The numbers, typed.
ratio = 12.18249396
temperature = 0.7369655942
first = 0.5
unspoiled = 0.3806760611
kept = 24576000
products = 26086400
alpha = 0.7245419390
empty = 61
