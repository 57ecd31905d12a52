"""Named mistakes in question 14.2."""


# %% alpha_difference: the difference of the log-probabilities in place of their ratio
# loses: alpha
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(
    12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201)
)
alpha = (3 - 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% alpha_inverse: the reciprocal of alpha
# loses: alpha
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log((5 + 9) / (5 + 3)) / math.log(3 / 2)
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% alpha_no_five: lengths without the 5
# loses: alpha
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log(9 / 3)
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% alpha_not_power: a ratio of ratios in place of logarithms
# loses: alpha
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = (3 / 2) / ((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% empty_nine_tenths: a right word of 0.9
# loses: empty
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.9))


# %% empty_not_rounded: a number of tokens that is not whole
# loses: empty
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.log(0.002) / math.log(0.902)


# %% empty_rounded_down: the last number of tokens for which the right text still wins
# loses: empty
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.floor(math.log(0.002) / math.log(0.902))


# %% empty_smoothing: the whole smoothing as the probability of the end
# loses: empty
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.1) / math.log(0.902))


# %% first_not_rescaled: a set for top-p before top-k is rescaled, or without top-k
# loses: first
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15 + 0.1)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% first_short: a set that stops before top-p is reached
# loses: first
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% first_top_k: the first token after top-k alone
# loses: first
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15 + 0.1 + 0.06)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% first_untouched: the probability before the filters
# loses: first
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(
    12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201)
)
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% kept_all_heads: a cache of all 12 heads
# loses: kept
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 768 * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% kept_heads_without_width: heads of one number each
# loses: kept
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * 1000 * 4
products = sum(
    12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201)
)
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% kept_keys: keys without values
# loses: kept
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% kept_one_beam: the cache of one beam
# loses: kept
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% kept_one_block: the cache of one block
# loses: kept
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% kept_three_heads: three heads of keys
# loses: kept
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 3 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% products_199: 199 steps
# loses: products
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(
    12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 200)
)
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% products_last: 200 times the last step
# loses: products
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * 200 * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% products_no_cache: every step without a cache
# loses: products
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(t * (12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64) for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% products_no_head: no head
# loses: products
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% products_one_step: the last step alone
# loses: products
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = 12 * 2 * 64**2 + 100 * 64 + 2 * 2 * 200 * 64
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% products_short: the steps from 0 to 199
# loses: products
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(200))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% ratio_divided: the ratio divided by the temperature
# loses: ratio
ratio = math.exp(2.1 - 0.6) / 0.6
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(
    12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201)
)
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% ratio_logits: the ratio of the logits
# loses: ratio
ratio = 2.1 / 0.6
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% ratio_one: the ratio at temperature 1
# loses: ratio
ratio = math.exp(2.1 - 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% ratio_share: the share of the first of the two in place of the ratio
# loses: ratio
ratio = 1 / (1 + math.exp(-(2.1 - 0.6) / 0.6))
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(
    12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201)
)
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% ratio_times: a ratio whose exponent is multiplied by the temperature
# loses: ratio
ratio = math.exp((2.1 - 0.6) * 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% temperature_inverse: the reciprocal of the temperature
# loses: temperature
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(2) / math.log(0.5 / 0.3)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% temperature_linear: a temperature that divides the ratio
# loses: temperature
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = 0.5 / 0.3 / 2
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% unspoiled_all_impossible: texts of impossible tokens alone
# loses: unspoiled
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = 0.012**80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(
    12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201)
)
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% unspoiled_linear: 80 probabilities that are added
# loses: unspoiled
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = 1 - 80 * 0.012
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% unspoiled_one_less: 79 tokens
# loses: unspoiled
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = (1 - 0.012) ** 79
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(
    12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201)
)
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))


# %% unspoiled_spoiled: the share of spoiled texts
# loses: unspoiled
ratio = math.exp((2.1 - 0.6) / 0.6)
temperature = math.log(0.5 / 0.3) / math.log(2)
first = 0.4 / (0.4 + 0.25 + 0.15)
unspoiled = 1 - (1 - 0.012) ** 80
kept = 12 * 2 * 4 * (768 // 12) * 1000 * 4
products = sum(12 * 2 * 64**2 + 100 * 64 + 2 * 2 * t * 64 for t in range(1, 201))
alpha = math.log(3 / 2) / math.log((5 + 9) / (5 + 3))
empty = math.ceil(math.log(0.002) / math.log(0.902))
