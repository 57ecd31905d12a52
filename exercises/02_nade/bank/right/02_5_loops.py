"""Image by image, and differences of the report computed in the cell."""


def measure(independent, regression, nade, n_pixels):
    n = len(nade)
    totals, wins = [0.0, 0.0, 0.0], 0
    for i in range(n):
        for which, row in enumerate((independent, regression, nade)):
            totals[which] -= float(row[i]) / n
        if regression[i] < nade[i]:
            wins += 1
    found = {"independent": totals[0], "regression": totals[1], "nade": totals[2]}
    return found | {
        "gain": totals[1] - totals[2],
        "bits": totals[2] / (math.log(2) * n_pixels),
        "wins": wins / n,
    }


losses = {"independent": 25.2174, "regression": 18.5394, "nade": 18.0731}
gain = losses["regression"] - losses["nade"]
report = {**losses, "gain": gain, "bits": losses["nade"] / 64 / math.log(2), "wins": 251 / 400}
