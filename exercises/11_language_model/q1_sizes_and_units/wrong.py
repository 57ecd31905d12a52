"""Named mistakes in question 11.1."""


# %% b_over_a: how many times as likely as a the token b is
# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(-1.9)
total = 2.5


# %% biases: linear maps with biases
# loses: tied, untied
tied = 43008
untied = 59008
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% bits_per_token: bits per token
# loses: bits
tied = 42432
untied = 58432
nats = 0.92
bits = 2.3 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% exchanged: the sizes of one table and of two exchanged
# loses: tied, untied
tied = 58432
untied = 42432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% first_two: 4/10: the sum to m over the sum of all
# loses: total
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 0.4


# %% gains_only: norms with gains and without biases
# loses: tied, untied
tied = 42272
untied = 58272
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% inverse: characters per token in place of tokens per character
# loses: nats, bits
tied = 42432
untied = 58432
nats = 2.3 * 875 / 350
bits = 2.3 * 875 / 350 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% last_two: a sum in the denominator that begins behind m
# loses: total
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 10 / 6


# %% log_odds: the logarithm of the ratio
# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = 1.9
total = 2.5


# %% multiplied: bits as nats times the logarithm of 2
# loses: bits
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 * math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% no_last_norm: sizes without the norm before the head
# loses: tied, untied
tied = 42368
untied = 58368
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% no_norms: sizes without any norm
# loses: tied, untied
tied = 42112
untied = 58112
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% no_places: sizes without the vectors of the places
# loses: tied, untied
tied = 40896
untied = 56896
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% odds_base_two: a power of 2
# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = 2**1.9
total = 2.5


# %% odds_of_two: the odds as a share of the two tokens
# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = 1 / (1 + math.exp(-1.9))
total = 2.5


# %% odds_sign: the score of b added, not subtracted
# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(0.7)
total = 2.5


# %% one_block: the sizes of a model with one block
# loses: tied, untied
tied = 30016
untied = 46016
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% one_inner_matrix: networks of one matrix
# loses: tied, untied
tied = 34240
untied = 50240
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% ones: probabilities that sum to 1
# loses: total
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 1.0


# %% only_a: the exponential of the score of a alone
# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.3)
total = 2.5


# %% per_token: the loss per token
# loses: nats, bits
tied = 42432
untied = 58432
nats = 2.3
bits = 2.3 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% score_ratio: the ratio of the two scores
# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = 1.3 / -0.6
total = 2.5


# %% three_matrices: attentions of three matrices
# loses: tied, untied
tied = 40384
untied = 56384
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% two_place_tables: a head that has a table of places as well
# loses: untied
tied = 42432
untied = 59968
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5


# %% without_end: one token and one character less
# loses: nats, bits
tied = 42432
untied = 58432
nats = 2.3 * 349 / 874
bits = nats / math.log(2)
odds = math.exp(1.9)
total = 2.5
