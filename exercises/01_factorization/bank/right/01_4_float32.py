"""Single precision, as PyTorch has it by default."""
def entropy(p):
    return -(p * p.log()).sum(dim=-1)


P = torch.tensor([[0.9, 0.1], [0.4, 0.6]])
shares = torch.linalg.solve(torch.stack([(P.T - torch.eye(2))[0], torch.ones(2)]), torch.tensor([0.0, 1.0]))
rate = (shares * entropy(P)).sum()
perplexity = rate.exp()
memoryless = entropy(shares)
after_a = entropy(P[0])
share = shares[0]
