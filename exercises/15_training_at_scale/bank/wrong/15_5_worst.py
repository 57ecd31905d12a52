"""the floor with the greatest residual"""


# loses: floor, exponent, next, spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    best = int(np.argmax(residuals))
    near = [
        p for p, r in zip(predictions, residuals) if r <= 2 * residuals[best]
    ]
    return {
        "floor": floors[best],
        "exponent": exponents[best],
        "next": predictions[best],
        "spread": max(near) - min(near),
    }


report = {
    "floor": 2.40000000,
    "exponent": 0.32831130,
    "next": 2.56023905,
    "spread": 0.30573420,
}
