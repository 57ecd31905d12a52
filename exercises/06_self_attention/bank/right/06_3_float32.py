"""Single precision, as PyTorch has it by default, in one-number tensors."""
q, k = torch.tensor([3.0]), torch.tensor([0.5])
variance = (q * k).expand(48).sum(0, keepdim=True)
scale = variance.rsqrt()
shifted = torch.full((48,), 3.0 * (1.0 + 2.0**2)).sum()
own_mean, own_variance = torch.tensor(48), torch.tensor(96, dtype=torch.int32)
