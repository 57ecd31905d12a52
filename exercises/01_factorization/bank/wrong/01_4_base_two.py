"""two to the power of nats: the base does not fit the unit"""
# loses: perplexity
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = 0.8 * entropy(0.1) + 0.2 * entropy(0.4)
perplexity = 2**rate
memoryless = entropy(0.8)
after_a = entropy(0.1)
share = 0.8
