"""Right answers to question 06.3."""


# %% float32: Single precision, as PyTorch has it by default, in one-number tensors.
q, k = torch.tensor([3.0]), torch.tensor([0.5])
variance = (q * k).expand(48).sum(0, keepdim=True)
scale = variance.rsqrt()
shifted = torch.full((48,), 3.0 * (1.0 + 2.0**2)).sum()
own_mean, own_variance = torch.tensor(48), torch.tensor(96, dtype=torch.int32)


# %% moments: A function of the moments of one term.
def of_sum(mean_q, var_q, mean_k, var_k, terms=48):
    return terms * ((var_q + mean_q**2) * (var_k + mean_k**2) - (mean_q * mean_k) ** 2)


variance = of_sum(0, 3, 0, 0.5)
scale = variance**-0.5
shifted = of_sum(0, 3, 2, 1)
own_mean = 48 * 1.0
own_variance = 48 * (3.0 - 1.0)


# %% numbers: Numbers.
variance = 72
scale = 0.11785113019775793
shifted = 720
own_mean = 48
own_variance = 96
