# question 06.2
# wrong: kernel values underflow far from all points: 0 / 0
# differs: places 100, points 0 and 1, bandwidth 1
def smooth(places, points, observed, bandwidth):
    squares = ((places[:, None] - points[None]) ** 2).sum(dim=2)
    scores = -squares / (2 * bandwidth**2)
    kernel = scores.exp()
    return kernel @ observed / kernel.sum(dim=1, keepdim=True)
