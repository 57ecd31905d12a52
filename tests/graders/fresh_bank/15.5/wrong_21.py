# question 15.5
# wrong: the floors are tried only from 0 on when there are both signs, as a loss cannot fall below 0
# differs: floors from -1 to 0.9 of which a negative one is best
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        off = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt(np.mean(off**2)))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    residuals, predictions = np.array(residuals), np.array(predictions)
    floors = np.asarray(floors)
    usable = np.where((floors < 0) & (floors.max() > 0), np.inf, residuals)
    best = int(np.argmin(usable))
    good = predictions[residuals <= 2 * residuals[best]]
    return {
        "floor": float(floors[best]),
        "exponent": float(exponents[best]),
        "next": float(predictions[best]),
        "spread": float(good.max() - good.min()),
    }


report = {"floor": 1.68, "exponent": 0.337214, "next": 1.942518, "spread": 0.148336}
