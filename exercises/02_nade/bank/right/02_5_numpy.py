"""NumPy inside, and every digit of the report."""

import numpy as np


def measure(independent, regression, nade, n_pixels):
    a, b, c = (np.asarray(row, dtype=float) for row in (independent, regression, nade))
    return {
        "independent": np.mean(-a),
        "regression": np.mean(-b),
        "nade": np.mean(-c),
        "gain": np.mean(c - b),
        "bits": np.mean(-np.log2(np.e) * c) / n_pixels,
        "wins": np.count_nonzero(c - b > 0) / c.size,
    }


report = {
    "independent": 25.217353820800781,
    "regression": 18.539443969726562,
    "nade": 18.07314109802246,
    "gain": 0.46630287170410156,
    "bits": 0.40740592,
    "wins": 0.6274999976158142,
}
