# question 06.2
# wrong: the scores are clamped to -80 so that the kernel does not underflow, and far places see no difference
# differs: places 30 and points 0 and 1, bandwidth 1: both points get the same weight
def smooth(places, points, observed, bandwidth):
    squares = ((places[:, None] - points[None]) ** 2).sum(dim=2)
    scores = -squares / (2 * bandwidth**2)
    kernel = scores.clamp(min=-80).exp()
    return kernel @ observed / kernel.sum(dim=1, keepdim=True)
