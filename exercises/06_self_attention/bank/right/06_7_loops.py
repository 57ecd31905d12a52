"""Query by query, and numbers copied with three digits."""

import statistics


def measure(widths, weights):
    found = {"means": [], "medians": []}
    for rows in weights:
        largest = [max(float(a) * (1.0 - float(a)) for a in row) for row in rows]
        found["means"].append(statistics.fmean(largest))
        found["medians"].append(statistics.median(largest))
    change = np.log10(found["means"][-1]) - np.log10(found["means"][1])
    found["slope"] = change / (np.log10(widths[-1]) - np.log10(widths[1]))
    certain = [row for row in weights[-1] if max(row) > 0.99]
    found["certain"] = len(certain) / len(weights[-1])
    return found


report = {
    "seed": 2,
    "means": [0.151, 0.0828, 0.0402, 0.022],
    "medians": [0.176, 0.0361, 0.000707, 0.000000952],
    "slope": -0.478,
    "certain": 0.804,
}
