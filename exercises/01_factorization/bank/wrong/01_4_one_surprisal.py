"""the surprisal of a b alone in place of the expected surprisal"""


# loses: after_a, rate, perplexity
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


after_a = -math.log(0.1)
share = 0.8
rate = share * after_a - (1 - share) * math.log(0.6)
perplexity = math.exp(rate)
memoryless = entropy(share)
