"""Named mistakes in question 09.5."""


# %% backwards: the map that leads back
# loses: left over, reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    later, here = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772}


# %% explained: the share that the map explains
# loses: left over, reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    here, later = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=1 - rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772}


# %% fraction: a seed that is no whole number
# loses: reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    here, later = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0.5, "neighbors": 0.009743, "left_over": 0.8772}


# %% hundredth: a hundredth added to the lengths, which tiny rows are no longer than
# loses: neighbors, reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:] + 0.01)
    here, later = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772}


# %% no_map: the change itself, without a map
# loses: left over, reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    here, later = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772}


# %% not_squared: a share of lengths in place of squared lengths
# loses: left over, reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    here, later = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=(rest / (later**2).sum()) ** 0.5)


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772}


# %% one_length: inner products divided by one squared length
# loses: neighbors, reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / length[:-1] ** 2
    here, later = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772}


# %% other_offset: a report of another offset
# loses: reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    here, later = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8725}


# %% products: inner products that are not divided by the lengths
# loses: neighbors, reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1)
    here, later = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772}


# %% ridge: a millionth added to the diagonal before the map is solved for
# loses: left over, reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    here, later = table[:-offset], table[offset:]
    best = np.linalg.solve(here.T @ here + 1e-6 * np.eye(table.shape[1]), here.T @ later)
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772}


# %% two_digits: a report of two significant digits
# loses: reported
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    here, later = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean(), left_over=rest / (later**2).sum())


report = {"seed": 0, "neighbors": 0.0097, "left_over": 0.88}


# %% typed: numbers that were typed, with a measure that returns them
# loses: neighbors, left over, reported
def measure(table, offset):
    return {"neighbors": 0.009743, "left_over": 0.8772}


report = measure(None, 7) | {"seed": 0}
