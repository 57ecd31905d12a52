# question 06.2
# wrong: only the first coordinate counts: the squares are not summed over all features
# differs: d = 2, points (0, 0) and (0, 5), place (0, 0)
def smooth(places, points, observed, bandwidth):
    squares = ((places[:, None] - points[None]) ** 2)[:, :, 0]
    scores = -squares / (2 * bandwidth**2)
    return scores.softmax(dim=1) @ observed
