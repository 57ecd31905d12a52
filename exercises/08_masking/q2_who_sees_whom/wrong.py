"""Named mistakes in question 08.2."""


# %% aliased: changes in the very tensor that f may hand back, so that what it gave before changes too
# loses: little
def who_sees_whom(f, x):
    work = x.clone()
    before = f(work)
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                work[s, c] = x[s, c] + step
                moved = (f(work) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 1e-5
                work[s, c] = x[s, c]
    return seen


# %% alternating: all features of a row at once, in turn up and down, so that some differences stay
# loses: little
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    turns = 5.0 - 10.0 * (torch.arange(x.shape[1]) % 2)
    for s in range(len(x)):
        for step in (turns, -turns):
            changed = x.clone()
            changed[s] += step
            moved = (f(changed) - before).abs().amax(dim=1)
            seen[:, s] |= moved > 1e-5
    return seen


# %% any_tremble: every difference counted, however small
# loses: little
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 0
    return seen


# %% coarse: movements of less than 0.001 overlooked
# loses: little
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 1e-3
    return seen


# %% doubled: a row multiplied by 2, which leaves zeros as they are
# loses: little, gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        changed = x.clone()
        changed[s] *= 2
        seen[:, s] = (f(changed) - before).abs().amax(dim=1) > 1e-5
    return seen


# %% first_feature: changes of the first feature alone
# loses: little, gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(1):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 1e-5
    return seen


# %% gradient: the gradient at x instead of changes
# loses: gates
def who_sees_whom(f, x):
    jacobian = torch.autograd.functional.jacobian(f, x.clone())
    return (jacobian.abs().sum(dim=(1, 3)) > 1e-5)


# %% kept: changes that are not taken back before the next row
# loses: attention, little, gates
def who_sees_whom(f, x):
    changed = x.clone()
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -10.0):
                changed[s, c] += step
                moved = (f(changed.clone()) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 1e-5
    return seen


# %% one_way: each feature made larger and never smaller
# loses: gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0,):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 1e-5
    return seen


# %% one_way_down: each feature made smaller and never larger
# loses: gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (-5.0,):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 1e-5
    return seen


# %% others_alone: a row that never sees itself
# loses: attention, little, gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 1e-5
    return seen & ~torch.eye(len(x), dtype=torch.bool)


# %% relative: a tolerance that grows with the output, so that a large one may move unseen
# loses: little
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                same = torch.isclose(f(changed), before, atol=1e-5).all(dim=1)
                seen[:, s] |= ~same
    return seen


# %% shifted: the same number added to all features of a row
# loses: little, gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        changed = x.clone()
        changed[s] += 5.0
        seen[:, s] = (f(changed) - before).abs().amax(dim=1) > 1e-5
    return seen


# %% small: changes of 1.9, too small for some gates
# loses: gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (1.9, -1.9):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 1e-5
    return seen


# %% stops_at_first: a search that stops at the first feature that moves any output, though another moves others
# loses: little
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        steps = [(c, e) for c in range(x.shape[1]) for e in (5.0, -5.0)]
        for c, step in steps:
            changed = x.clone()
            changed[s, c] += step
            moved = (f(changed) - before).abs().amax(dim=1)
            seen[:, s] |= moved > 1e-5
            if moved.max() > 1e-5:
                break
    return seen


# %% summed: movements added up over the features, where they cancel
# loses: little
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).sum(dim=1).abs()
                seen[:, s] |= moved > 1e-5
    return seen


# %% transposed: rows and columns exchanged: who is seen by whom
# loses: attention, little, gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).abs().amax(dim=1)
                seen[s, :] |= moved > 1e-5
    return seen


# %% upward: outputs that fall not counted as moved
# loses: gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).amax(dim=1)
                seen[:, s] |= moved > 1e-5
    return seen


# %% twice: movements of less than 0.00002 overlooked
# loses: little
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                moved = (f(changed) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 2e-5
    return seen


# %% hundred: changes of 100 alone, so that gates are passed over
# loses: gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (100.0, -100.0):
                changed = x.clone()
                changed[s, c] += step
                seen[:, s] |= ((f(changed) - before).abs() > 1e-5).any(dim=1)
    return seen


# %% all_at_once: all features of a row moved at once, so that one shuts what another opens
# loses: gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for step in (1.0, -1.0):
            changed = x.clone()
            changed[s] += step * torch.linspace(2, 3, x.shape[1])
            seen[:, s] |= ((f(changed) - before).abs() > 1e-5).any(dim=1)
    return seen
