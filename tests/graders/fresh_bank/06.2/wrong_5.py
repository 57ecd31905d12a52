# question 06.2
# wrong: a small number in the denominator pulls far places to zero
# differs: places 100, points 0 and 1, bandwidth 1: 0 instead of the value at 1
def smooth(places, points, observed, bandwidth):
    squares = ((places[:, None] - points[None]) ** 2).sum(dim=2)
    scores = -squares / (2 * bandwidth**2)
    kernel = scores.exp()
    return kernel @ observed / (kernel.sum(dim=1, keepdim=True) + 1e-12)
