"""a fit in float32"""
# loses: noisy
def fit(x, y, floor):
    x = torch.tensor(x, dtype=torch.float32)
    y = torch.tensor(y, dtype=torch.float32)
    u, v = x.log(), (y - floor).log()
    a = torch.stack([u, torch.ones_like(u)], dim=1)
    slope, intercept = torch.linalg.lstsq(a, v[:, None]).solution[:, 0].tolist()
    return math.exp(intercept), -slope
