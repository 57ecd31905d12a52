"""Right answers to question 09.5."""


# %% loops: Loops, and the pseudo-inverse.
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


# %% torch: PyTorch, with the normal equations.
def measure(table, offset):
    x = torch.from_numpy(table)
    neighbors = torch.nn.functional.cosine_similarity(x[1:], x[:-1]).mean()
    here, later = x[: len(x) - offset], x[offset:]
    best = torch.linalg.solve(here.T @ here, here.T @ later)
    left_over = (later - here @ best).square().sum() / later.square().sum()
    return {"neighbors": neighbors.item(), "left_over": left_over.item()}


report = {"seed": 0, "neighbors": 0.00974, "left_over": 0.877}
