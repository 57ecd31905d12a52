"""Right answers to question 15.5."""


# %% arrays: Arrays over the floors.
def measure(x, y, floors):
    fits = np.array([fit(x, y, floor) for floor in floors])
    b, c = fits[:, :1], fits[:, 1:]
    gaps = np.log((y - floors[:, None]) / (b * x**-c))
    squares = (gaps**2).mean(1)
    then = floors + b[:, 0] * (10 * x.max()) ** -c[:, 0]
    best = squares.argmin()
    near = then[squares <= 4 * squares[best]]
    return {
        "floor": floors[best],
        "exponent": c[best, 0],
        "next": then[best],
        "spread": np.ptp(near),
    }


report = {
    "floor": 1.9,
    "exponent": 0.190180,
    "next": 2.428917,
    "spread": 0.0539376,
}


# %% loops: One loop and a table of rows.
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
