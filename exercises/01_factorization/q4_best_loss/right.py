"""Right answers to question 01.4."""


# %% eigenvector: The stationary distribution as an eigenvector.
P = np.array([[0.9, 0.1], [0.4, 0.6]])
values, vectors = np.linalg.eig(P.T)
pi = np.real(vectors[:, np.argmax(np.real(values))])
pi = pi / pi.sum()
rate = float(-(pi[:, None] * P * np.log(P)).sum())
perplexity = float(np.exp(rate))
memoryless = float(-(pi * np.log(pi)).sum())
after_a = float(-(P[0] * np.log(P[0])).sum())
share = float(pi[0])


# %% float32: Single precision, as PyTorch has it by default.
def entropy(p):
    return -(p * p.log()).sum(dim=-1)


P = torch.tensor([[0.9, 0.1], [0.4, 0.6]])
shares = torch.linalg.solve(torch.stack([(P.T - torch.eye(2))[0], torch.ones(2)]), torch.tensor([0.0, 1.0]))
rate = (shares * entropy(P)).sum()
perplexity = rate.exp()
memoryless = entropy(shares)
after_a = entropy(P[0])
share = shares[0]


# %% power: The chain run until it settles.
P = torch.tensor([[0.9, 0.1], [0.4, 0.6]], dtype=torch.float64)
pi = torch.matrix_power(P, 200)[0]
row_entropy = -(P * P.log()).sum(1)
rate = (pi @ row_entropy).item()
perplexity = 2 ** (rate / math.log(2))
memoryless = torch.distributions.Categorical(pi).entropy().item()
after_a = row_entropy[0].item()
share = pi[0].item()
