"""Named mistakes in question 01.4."""


# %% after_a_in_bits: the surprisal after an a in bits, all else in nats
# loses: after_a
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


after_a = entropy(0.1) / math.log(2)
share = 0.8
rate = 0.8 * entropy(0.1) + 0.2 * entropy(0.4)
perplexity = math.exp(rate)
memoryless = entropy(0.8)


# %% base_two: two to the power of nats: the base does not fit the unit
# loses: perplexity
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = 0.8 * entropy(0.1) + 0.2 * entropy(0.4)
perplexity = 2**rate
memoryless = entropy(0.8)
after_a = entropy(0.1)
share = 0.8


# %% bits: entropies in bits, not in nats
# loses: after_a, rate, perplexity, memoryless
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = (0.8 * entropy(0.1) + 0.2 * entropy(0.4)) / math.log(2)
perplexity = math.exp(rate)
memoryless = entropy(0.8) / math.log(2)
after_a = entropy(0.1) / math.log(2)
share = 0.8


# %% equal_shares: the entropies averaged as if a and b were equally frequent
# loses: share, rate, perplexity, memoryless
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = (entropy(0.1) + entropy(0.4)) / 2
perplexity = math.exp(rate)
memoryless = entropy(0.5)
after_a = entropy(0.1)
share = 0.5


# %% mean_rates: the entropy rate again: a model without a memory cannot use two different distributions
# loses: memoryless
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = 0.8 * entropy(0.1) + 0.2 * entropy(0.4)
perplexity = math.exp(rate)
memoryless = rate
after_a = entropy(0.1)
share = 0.8


# %% one_surprisal: the surprisal of a b alone in place of the expected surprisal
# loses: after_a, rate, perplexity
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


after_a = -math.log(0.1)
share = 0.8
rate = share * after_a - (1 - share) * math.log(0.6)
perplexity = math.exp(rate)
memoryless = entropy(share)


# %% share_of_b: the share of b in place of that of a
# loses: share
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


after_a = entropy(0.1)
share = 0.1 / (0.1 + 0.4)
rate = 0.8 * entropy(0.1) + 0.2 * entropy(0.4)
perplexity = math.exp(rate)
memoryless = entropy(0.8)


# %% swapped: the stationary shares of a and b exchanged
# loses: share, rate, perplexity
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = 0.2 * entropy(0.1) + 0.8 * entropy(0.4)
perplexity = math.exp(rate)
memoryless = entropy(0.2)
after_a = entropy(0.1)
share = 0.2


# %% uniform_model: a fair coin as the model without a memory
# loses: memoryless
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = 0.8 * entropy(0.1) + 0.2 * entropy(0.4)
perplexity = math.exp(rate)
memoryless = math.log(2)
after_a = entropy(0.1)
share = 0.8
