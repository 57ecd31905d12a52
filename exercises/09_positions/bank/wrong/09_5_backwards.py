"""the map that leads back"""


# loses: left over, reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    later, here = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772}
