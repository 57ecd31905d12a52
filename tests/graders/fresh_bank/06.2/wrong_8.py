# question 06.2
# wrong: the distance is not squared, a Laplace kernel
# differs: points 0 and 2, place 0, bandwidth 1 (for distances 0 and 1 against each other nearly right)
def smooth(places, points, observed, bandwidth):
    distances = (places[:, None] - points[None]).norm(dim=2)
    scores = -distances / (2 * bandwidth**2)
    return scores.softmax(dim=1) @ observed
