"""the stationary shares of a and b exchanged"""
# loses: share, rate, perplexity
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = 0.2 * entropy(0.1) + 0.8 * entropy(0.4)
perplexity = math.exp(rate)
memoryless = entropy(0.2)
after_a = entropy(0.1)
share = 0.2
