# question 15.5
# wrong: the limit is strict and takes the best out: with a perfect fit (residual 0) nothing would count, so the spread is 0
# differs: several floors: below twice the least, but the best one itself does not count
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        off = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt(np.mean(off**2)))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    residuals, predictions = np.array(residuals), np.array(predictions)
    best = int(np.argmin(residuals))
    good = np.delete(predictions, best)[np.delete(residuals, best) < 2 * residuals[best]]
    good = good if len(good) else predictions[best:best + 1]
    return {
        "floor": float(floors[best]),
        "exponent": float(exponents[best]),
        "next": float(predictions[best]),
        "spread": float(good.max() - good.min()),
    }


report = {"floor": 1.68, "exponent": 0.337214, "next": 1.942518, "spread": 0.148336}
