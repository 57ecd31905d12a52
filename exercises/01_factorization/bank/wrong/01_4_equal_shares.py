"""the entropies averaged as if a and b were equally frequent"""
# loses: share, rate, perplexity, memoryless
def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)



rate = (entropy(0.1) + entropy(0.4)) / 2
perplexity = math.exp(rate)
memoryless = entropy(0.5)
after_a = entropy(0.1)
share = 0.5
