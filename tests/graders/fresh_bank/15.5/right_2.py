# question 15.5
def measure(x, y, floors):
    u = np.log(x)
    far = math.log(10) + max(math.log(value) for value in x)
    tried = []
    for e in np.asarray(floors).tolist():
        # a line through the logarithms, with its own least squares
        v = np.log(y - e)
        slope = ((u - u.mean()) * (v - v.mean())).sum() / ((u - u.mean()) ** 2).sum()
        start = v.mean() - slope * u.mean()
        rest = v - (start + slope * u)
        tried.append({
            "residual": math.sqrt((rest @ rest) / len(rest)),
            "floor": e,
            "exponent": -float(slope),
            "next": e + math.exp(start + slope * far),
        })
    best = min(tried, key=lambda one: one["residual"])
    limit = 2 * best["residual"]
    good = [one["next"] for one in tried if one["residual"] <= limit]
    result = {name: best[name] for name in ("floor", "exponent", "next")}
    result["spread"] = max(good) - min(good)
    return result


report = {"floor": 1.68, "exponent": 0.337214, "next": 1.942518, "spread": 0.148336}
