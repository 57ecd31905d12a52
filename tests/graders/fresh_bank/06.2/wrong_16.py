# question 06.2
# wrong: the caller's places and points are divided by the bandwidth in place
# differs: bandwidth 2: places are halved after the call
def smooth(places, points, observed, bandwidth):
    places /= bandwidth
    points /= bandwidth
    squares = ((places[:, None] - points[None]) ** 2).sum(dim=2)
    scores = -squares / 2
    return scores.softmax(dim=1) @ observed
