# question 06.2
# wrong: h instead of h squared
# differs: bandwidth 3 (for 1 it is right)
def smooth(places, points, observed, bandwidth):
    squares = ((places[:, None] - points[None]) ** 2).sum(dim=2)
    scores = -squares / (2 * bandwidth)
    return scores.softmax(dim=1) @ observed
