"""Sums of products, point by point."""

def fit(x, y, floor):
    u = [math.log(value) for value in x]
    v = [math.log(value - floor) for value in y]
    n = len(u)
    top = n * sum(a * b for a, b in zip(u, v)) - sum(u) * sum(v)
    bottom = n * sum(a * a for a in u) - sum(u) ** 2
    slope = top / bottom
    return math.exp((sum(v) - slope * sum(u)) / n), -slope
