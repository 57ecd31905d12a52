# question 12.5
def price(x, W, y, epsilon, rate):
    d = x.shape[0]
    # row n of `keep` are the bits of n
    keep = torch.arange(2**d)[:, None] >> torch.arange(d) & 1 == 1
    p = torch.where(
        keep,
        torch.tensor(1.0 - rate, dtype=torch.float64),
        torch.tensor(float(rate), dtype=torch.float64),
    ).prod(dim=1)
    inputs = torch.where(keep, x / (1 - rate), torch.zeros_like(x))
    inputs = torch.cat([x[None], inputs])  # row 0: without dropout
    log_p = torch.log_softmax(inputs @ W, dim=1)
    losses = -(1 - epsilon) * log_p[:, y] - epsilon * log_p.mean(dim=1)
    mean = (p * losses[1:]).sum()
    return mean, mean - losses[0]
