"""Named mistakes in question 15.5."""


# %% all_floors: predictions of all floors, however well they fit
# loses: spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    best = int(np.argmin(residuals))
    near = [
        p for p, r in zip(predictions, residuals) if r <= 1e300
    ]
    return {
        "floor": floors[best],
        "exponent": exponents[best],
        "next": predictions[best],
        "spread": max(near) - min(near),
    }


report = {
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.30573420,
}


# %% exponents_from_zero: exponents that are never below 0
# loses: floor, exponent, next, spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        c = max(c, 0.0)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    best = int(np.argmin(residuals))
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
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.05393755,
}


# %% first_hundred: the first hundred floors alone
# loses: floor, exponent, next, spread, report
def measure(x, y, floors):
    floors = floors[:100]
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    best = int(np.argmin(residuals))
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
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.05393755,
}


# %% floors_from_zero: floors from 0 on only
# loses: floor, exponent, next, spread, report
def measure(x, y, floors):
    floors = floors[floors >= 0]
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
        "exponent": exponents[best],
        "next": predictions[best],
        "spread": max(near) - min(near),
    }


report = {
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.05393755,
}


# %% from_the_best: the greatest distance from the best prediction
# loses: spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    best = int(np.argmin(residuals))
    near = [
        p for p, r in zip(predictions, residuals) if r <= 2 * residuals[best]
    ]
    return {
        "floor": floors[best],
        "exponent": exponents[best],
        "next": predictions[best],
        "spread": max(abs(p - predictions[best]) for p in near),
    }


report = {
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.03394808,
}


# %% largest_x: a prediction at the largest x itself
# loses: next, spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * x.max() ** -c)
    best = int(np.argmin(residuals))
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
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.71953583,
    "spread": 0.00947088,
}


# %% last_exponent: the exponent of the last floor
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
    near = [
        p for p, r in zip(predictions, residuals) if r <= 2 * residuals[best]
    ]
    return {
        "floor": floors[best],
        "exponent": exponents[-1],
        "next": predictions[best],
        "spread": max(near) - min(near),
    }


report = {
    "floor": 1.90000000,
    "exponent": 0.32831130,
    "next": 2.42891734,
    "spread": 0.05393755,
}


# %% losses_compared: residuals of the losses in place of their logarithms
# loses: floor, exponent, next, spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = y - floor - b * x**-c
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    best = int(np.argmin(residuals))
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
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.03786084,
}


# %% margin: a margin of a thousandth beside the factor of 2
# loses: spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    best = int(np.argmin(residuals))
    near = [p for p, r in zip(predictions, residuals) if r <= 2 * residuals[best] + 1e-3]
    return {
        "floor": floors[best],
        "exponent": exponents[best],
        "next": predictions[best],
        "spread": max(near) - min(near),
    }


report = {
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.05393755,
}


# %% no_floor_in_it: a prediction without its floor
# loses: next, spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(b * (10 * x.max()) ** -c)
    best = int(np.argmin(residuals))
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
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 0.52891734,
    "spread": 0.24606245,
}


# %% sign_dropped: an exponent without its sign
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


# %% squares_doubled: twice the mean square in place of twice its root
# loses: spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append((gaps**2).mean())
        exponents.append(c)
        predictions.append(floor + b * (10 * x.max()) ** -c)
    best = int(np.argmin(residuals))
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
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.01787137,
}


# %% ten_times_the_last: a prediction at ten times the last point in place of the largest
# loses: next, spread, report
def measure(x, y, floors):
    residuals, exponents, predictions = [], [], []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b * x**-c)
        residuals.append(np.sqrt((gaps**2).mean()))
        exponents.append(c)
        predictions.append(floor + b * (10 * x[-1]) ** -c)
    best = int(np.argmin(residuals))
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
    "floor": 1.90000000,
    "exponent": 0.19018014,
    "next": 2.42891734,
    "spread": 0.05393755,
}


# %% worst: the floor with the greatest residual
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
