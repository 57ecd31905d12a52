# question 15.5
# wrong: exponents are cut at 0, as losses should fall
# differs: y that rises with x: exponent 0 instead of a negative one
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        c = max(c, 0.0)
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
