"""The chain run until it settles."""
P = torch.tensor([[0.9, 0.1], [0.4, 0.6]], dtype=torch.float64)
pi = torch.matrix_power(P, 200)[0]
row_entropy = -(P * P.log()).sum(1)
rate = (pi @ row_entropy).item()
perplexity = 2 ** (rate / math.log(2))
memoryless = torch.distributions.Categorical(pi).entropy().item()
after_a = row_entropy[0].item()
share = pi[0].item()
