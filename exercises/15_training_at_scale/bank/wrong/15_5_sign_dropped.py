"""an exponent without its sign"""


# loses: exponent, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    best = int(np.argmin(residuals))
    near = [p for p, r in zip(predictions, residuals) if r <= 2 * residuals[best]]
    return {
        "floor": floors[best],
        "exponent": abs(exponents[best]),
        "next": predictions[best],
        "spread": max(near) - min(near),
    }


report = {
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.05393755,
}
