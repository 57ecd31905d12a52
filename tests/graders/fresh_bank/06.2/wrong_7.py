# question 06.2
# wrong: the 2 of the kernel is missing
# differs: points 0 and 1, place 0, bandwidth 1
def smooth(places, points, observed, bandwidth):
    squares = ((places[:, None] - points[None]) ** 2).sum(dim=2)
    scores = -squares / bandwidth**2
    return scores.softmax(dim=1) @ observed
