"""the entropy rate again: a model without a memory cannot use two different distributions"""
# loses: memoryless
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = 0.8 * entropy(0.1) + 0.2 * entropy(0.4)
perplexity = math.exp(rate)
memoryless = rate
after_a = entropy(0.1)
share = 0.8
