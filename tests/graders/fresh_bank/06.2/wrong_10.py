# question 06.2
# wrong: a place far from all points gets the mean of the observations instead of the nearest
# differs: places 50, points 0 and 1, bandwidth 1, observed 0 and 1: 0.5 instead of 1
def smooth(places, points, observed, bandwidth):
    squares = ((places[:, None] - points[None]) ** 2).sum(dim=2)
    scores = -squares / (2 * bandwidth**2)
    kernel = scores.exp()
    total = kernel.sum(dim=1, keepdim=True)
    found = kernel @ observed / total.clamp(min=1e-300 if total.dtype == torch.float64 else 1e-37)
    return torch.where(total > 1e-30, found, observed.mean(dim=0))
