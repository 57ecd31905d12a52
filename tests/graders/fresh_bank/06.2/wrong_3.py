# question 06.2
# wrong: the inner product alone, as if all points had one length
# differs: d = 1, points 0 and 3, place 1: the farther point gets more
def smooth(places, points, observed, bandwidth):
    query = places * math.sqrt(places.shape[1]) / bandwidth**2
    return attention(query[None], points[None], observed[None])[0]
