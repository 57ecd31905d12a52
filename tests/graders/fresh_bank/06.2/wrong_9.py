# question 06.2
# wrong: the weights of a point sum to 1 over the places
# differs: n = 2 places, m = 1 point: half of the value
def smooth(places, points, observed, bandwidth):
    squares = ((places[:, None] - points[None]) ** 2).sum(dim=2)
    scores = -squares / (2 * bandwidth**2)
    return scores.softmax(dim=0) @ observed
