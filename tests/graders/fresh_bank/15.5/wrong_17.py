# question 15.5
# wrong: points are sorted in place
# differs: x in falling order: the caller's arrays are sorted afterwards
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    y[:] = y[np.argsort(x)]
    x.sort()
    for floor in floors:
        b, c = fit(x, y, floor)
        off = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt(np.mean(off**2)))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    residuals, predictions = np.array(residuals), np.array(predictions)
    best = int(np.argmin(residuals))
    good = predictions[residuals <= 2 * residuals[best]]
    return {
        "floor": float(floors[best]),
        "exponent": float(exponents[best]),
        "next": float(predictions[best]),
        "spread": float(good.max() - good.min()),
    }


report = {"floor": 1.68, "exponent": 0.337214, "next": 1.942518, "spread": 0.148336}
