"""Named mistakes in question 17.1."""


# %% unskewed: scores by distance that were not moved to their keys
# loses: alone, memory, gradients
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    scores = query @ key.mT + query @ distance_key.flip(0).T
    later = torch.ones(n, m, dtype=torch.bool).triu(m - n + 1)
    return scores.masked_fill(later, -torch.inf)


# %% nearest_first: a skew of distances whose nearest comes first
# loses: alone, memory, gradients
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    line = F.pad(query @ distance_key.T, (1, 0)).flatten(1)
    scores = query @ key.mT + line[:, n:].unflatten(1, (n, m))
    later = torch.ones(n, m, dtype=torch.bool).triu(m - n + 1)
    return scores.masked_fill(later, -torch.inf)


# %% from_the_start: queries that stand at the first positions
# loses: memory, gradients
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    away = (torch.arange(n)[:, None] - torch.arange(m)).abs()
    by_distance = query @ distance_key.T
    scores = query @ key.mT + by_distance.gather(2, away.expand(len(query), n, m))
    later = torch.ones(n, m, dtype=torch.bool).triu(m - n + 1)
    return scores.masked_fill(later, -torch.inf)


# %% all_shown: later keys that are not hidden
# loses: hidden
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    line = F.pad(query @ distance_key.flip(0).T, (1, 0)).flatten(1)
    return query @ key.mT + line[:, n:].unflatten(1, (n, m))


# %% no_distance: content alone
# loses: alone, memory, gradients
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    scores = query @ key.mT + 0 * distance_key.sum()
    later = torch.ones(n, m, dtype=torch.bool).triu(m - n + 1)
    return scores.masked_fill(later, -torch.inf)


# %% scaled: scores divided by the root of the width
# loses: alone, memory, gradients
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    line = F.pad(query @ distance_key.flip(0).T, (1, 0)).flatten(1)
    scores = query @ key.mT + line[:, n:].unflatten(1, (n, m))
    later = torch.ones(n, m, dtype=torch.bool).triu(m - n + 1)
    return (scores / query.shape[2] ** 0.5).masked_fill(later, -torch.inf)


# %% off_by_one: distances that are one too small, and 0 for the key before
# loses: alone, memory, gradients
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    away = torch.arange(m - n, m)[:, None] - torch.arange(m) - 1
    by_distance = query @ distance_key.T
    scores = query @ key.mT + by_distance.gather(2, away.clamp(min=0).expand(len(query), n, m))
    later = torch.ones(n, m, dtype=torch.bool).triu(m - n + 1)
    return scores.masked_fill(later, -torch.inf)


# %% detached: distances that no gradient reaches
# loses: gradients
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    line = F.pad(query @ distance_key.detach().flip(0).T, (1, 0)).flatten(1)
    scores = query @ key.mT + line[:, n:].unflatten(1, (n, m))
    later = torch.ones(n, m, dtype=torch.bool).triu(m - n + 1)
    return scores.masked_fill(later, -torch.inf)
