"""entropies in bits, not in nats"""
# loses: after_a, rate, perplexity, memoryless
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = (0.8 * entropy(0.1) + 0.2 * entropy(0.4)) / math.log(2)
perplexity = math.exp(rate)
memoryless = entropy(0.8) / math.log(2)
after_a = entropy(0.1) / math.log(2)
share = 0.8
