"""the entropies averaged as if a and b were equally frequent"""
# loses: rate, perplexity, memoryless
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = (entropy(0.1) + entropy(0.4)) / 2
perplexity = math.exp(rate)
memoryless = entropy(0.5)
