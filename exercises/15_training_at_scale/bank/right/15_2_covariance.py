"""The covariance over the variance, in PyTorch."""

def fit(x, y, floor):
    u, v = torch.log(torch.tensor(x)), torch.log(torch.tensor(y - floor))
    du = u - u.mean()
    c = -(du * v).sum() / (du * du).sum()
    return torch.exp(v.mean() + c * u.mean()), c
