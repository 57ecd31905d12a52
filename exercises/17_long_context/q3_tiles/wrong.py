"""Named mistakes in question 17.3."""


# %% no_maximum: exponentials of the scores as they are
# loses: extreme
def attend(query, tiles):
    total, mixed = 0.0, 0.0
    for key, value in tiles:
        weights = (query.double() @ key.double().T / query.shape[1] ** 0.5).exp()
        total = total + weights.sum(dim=1, keepdim=True)
        mixed = mixed + weights @ value.double()
    return mixed / total


# %% no_shrink: sums that are not measured anew when the maximum grows
# loses: values, extreme, reused
def attend(query, tiles):
    most, total, mixed = torch.full((len(query), 1), -torch.inf).double(), 0.0, 0.0
    for key, value in tiles:
        scores = query.double() @ key.double().T / query.shape[1] ** 0.5
        most = torch.maximum(most, scores.amax(dim=1, keepdim=True))
        weights = (scores - most).exp()
        total = total + weights.sum(dim=1, keepdim=True)
        mixed = mixed + weights @ value.double()
    return mixed / total


# %% sum_not_shrunk: a shrunk sum of values over a sum of weights that was not shrunk
# loses: values, extreme, reused
def attend(query, tiles):
    most, total, mixed = torch.full((len(query), 1), -torch.inf).double(), 0.0, 0.0
    for key, value in tiles:
        scores = query.double() @ key.double().T / query.shape[1] ** 0.5
        new = torch.maximum(most, scores.amax(dim=1, keepdim=True))
        weights = (scores - new).exp()
        total = total + weights.sum(dim=1, keepdim=True)
        mixed = (most - new).exp() * mixed + weights @ value.double()
        most = new
    return mixed / total


# %% mean_of_tiles: the mean of the tiles' own outputs
# loses: values, extreme, reused
def attend(query, tiles):
    outputs = []
    for key, value in tiles:
        scores = query.double() @ key.double().T / query.shape[1] ** 0.5
        outputs.append(scores.softmax(dim=1) @ value.double())
    return torch.stack(outputs).mean(dim=0)


# %% no_scale: scores without the root of the width
# loses: values, extreme, reused
def attend(query, tiles):
    most, total, mixed = torch.full((len(query), 1), -torch.inf).double(), 0.0, 0.0
    for key, value in tiles:
        scores = query.double() @ key.double().T
        new = torch.maximum(most, scores.amax(dim=1, keepdim=True))
        weights, shrink = (scores - new).exp(), (most - new).exp()
        total = shrink * total + weights.sum(dim=1, keepdim=True)
        mixed = shrink * mixed + weights @ value.double()
        most = new
    return mixed / total


# %% last_tile: the last tile alone
# loses: values, extreme, reused
def attend(query, tiles):
    for key, value in tiles:
        scores = query.double() @ key.double().T / query.shape[1] ** 0.5
        output = scores.softmax(dim=1) @ value.double()
    return output


# %% one_maximum: one maximum for all queries
# loses: extreme
def attend(query, tiles):
    most, total, mixed = -torch.inf, 0.0, 0.0
    for key, value in tiles:
        scores = query.double() @ key.double().T / query.shape[1] ** 0.5
        new = max(most, scores.max().item())
        weights, shrink = (scores - new).exp(), math.exp(most - new)
        total = shrink * total + weights.sum(dim=1, keepdim=True)
        mixed = shrink * mixed + weights @ value.double()
        most = new
    return mixed / total


# %% collected: all tiles kept, and one softmax at the end
# loses: reused
def attend(query, tiles):
    pairs = list(tiles)
    keys, values = torch.cat([k for k, _ in pairs]), torch.cat([v for _, v in pairs])
    scores = query.double() @ keys.double().T / query.shape[1] ** 0.5
    return scores.softmax(dim=1) @ values.double()
