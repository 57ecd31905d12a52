"""Right answers to question 16.2."""


# %% counted: Counting steps, bisection and the library's logit.
distance, left = 0, 1.0
while left >= 0.01:
    distance, left = distance + 1, left * 0.9
low, high = 0.0, 1.0
for _ in range(100):
    middle = (low + high) / 2
    low, high = (middle, high) if middle**50 < 0.5 else (low, middle)
gate = low
bias = torch.tensor(gate, dtype=torch.float64).logit().item()
tie = math.exp(math.log(1 / 4) / 10)


# %% numbers: Numbers.
distance = 44
gate = 0.986233
bias = 4.27160
tie = 0.870551


# %% logarithms: Logarithms throughout.
distance = math.ceil(math.log(0.01) / math.log(0.9))
gate = np.exp(-np.log(2) / 50)
bias = -math.log(2 ** (1 / 50) - 1)
tie = 2 ** (-1 / 5)
