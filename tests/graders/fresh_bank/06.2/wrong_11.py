# question 06.2
# wrong: a far place takes one nearest point alone, also where two are equally near
# differs: place 100 in d = 1 is fine, but points (0, 1) and (0, -1), place (100, 0): one value instead of the mean
def smooth(places, points, observed, bandwidth):
    squares = ((places[:, None] - points[None]) ** 2).sum(dim=2)
    scores = -squares / (2 * bandwidth**2)
    found = scores.softmax(dim=1) @ observed
    far = scores.max(dim=1).values < -100
    return torch.where(far[:, None], observed[scores.argmax(dim=1)], found)
