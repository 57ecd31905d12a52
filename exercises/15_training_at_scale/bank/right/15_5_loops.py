"""One loop and a table of rows."""

def measure(x, y, floors):
    rows = []
    for floor in floors:
        b, c = fit(x, y, floor)
        squares = [
            (math.log(v - floor) - math.log(b) + c * math.log(u)) ** 2
            for u, v in zip(x, y)
        ]
        then = floor + b * (10 * max(x)) ** -c
        rows.append((math.sqrt(sum(squares) / len(x)), floor, c, then))
    least = min(rows)
    near = [row[3] for row in rows if row[0] <= 2 * least[0]]
    names = ("floor", "exponent", "next", "spread")
    return dict(zip(names, (*least[1:], max(near) - min(near))))


report = {
    "floor": 1.9,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.05393755,
}
