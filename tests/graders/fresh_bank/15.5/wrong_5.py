# question 15.5
# wrong: the largest x is taken to be the last one
# differs: x in falling order: (100, 10, 1)
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        off = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt(np.mean(off**2)))
        exponents.append(c)
        predictions.append(floor + b * (10 * x[-1]) ** -c)
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
