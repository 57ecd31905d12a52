"""Loops, and the pseudo-inverse."""


def measure(table, offset):
    cosines = []
    for t in range(len(table) - 1):
        lengths = math.dist(table[t], 0 * table[t]) * math.dist(table[t + 1], 0 * table[t])
        cosines.append(sum(table[t] * table[t + 1]) / lengths)
    here = np.array([table[t] for t in range(len(table) - offset)])
    later = np.array([table[t + offset] for t in range(len(table) - offset)])
    missed = later - here @ (np.linalg.pinv(here) @ later)
    return {
        "neighbors": sum(cosines) / len(cosines),
        "left_over": np.linalg.norm(missed) ** 2 / np.linalg.norm(later) ** 2,
    }


report = {"seed": 3, "neighbors": 0.001723, "left_over": 0.8802}
