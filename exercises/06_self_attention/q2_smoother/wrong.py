"""Named mistakes in question 06.2."""


# %% bandwidth: the bandwidth not squared
# loses: one length, anywhere, far away
def smooth(places, points, observed, bandwidth):
    squares = (places[:, None] - points).square().sum(-1)
    return torch.softmax(-squares / (2 * bandwidth), 1) @ observed


# %% distance: distances instead of their squares
# loses: one length, anywhere, far away
def smooth(places, points, observed, bandwidth):
    distances = (places[:, None] - points).norm(dim=-1)
    return torch.softmax(-distances / (2 * bandwidth**2), 1) @ observed


# %% epsilon: a small number below the fraction, which counts where all kernels are small
# loses: anywhere, far away
def smooth(places, points, observed, bandwidth):
    squares = (places[:, None] - points).square().sum(-1)
    kernel = torch.exp(-squares / (2 * bandwidth**2))
    return kernel @ observed / (kernel.sum(1, keepdim=True) + 1e-12)


# %% half: a kernel without the 2 below the square
# loses: one length, anywhere, far away
def smooth(places, points, observed, bandwidth):
    squares = (places[:, None] - points).square().sum(-1)
    return torch.softmax(-squares / bandwidth**2, 1) @ observed


# %% inner_product: inner products alone: long points get more weight
# loses: weights, anywhere, far away
def smooth(places, points, observed, bandwidth):
    return torch.softmax(places @ points.T / bandwidth**2, 1) @ observed


# %% places_axis: weights that sum to 1 over the places
# loses: weights, one length, anywhere, far away
def smooth(places, points, observed, bandwidth):
    squares = (places[:, None] - points).square().sum(-1)
    return torch.softmax(-squares / (2 * bandwidth**2), 0) @ observed


# %% root: attention's own division by the root of the width, not undone
# loses: one length, anywhere, far away
def smooth(places, points, observed, bandwidth):
    query = torch.cat([places, torch.ones(len(places), 1)], 1) / bandwidth**2
    key = torch.cat([points, -0.5 * (points**2).sum(1, keepdim=True)], 1)
    return attention(query[None], key[None], observed[None])[0]


# %% underflow: kernels that are all zero far away, so that 0 is divided by 0
# loses: far away
def smooth(places, points, observed, bandwidth):
    squares = (places[:, None] - points).square().sum(-1)
    kernel = torch.exp(-squares / (2 * bandwidth**2))
    return kernel @ observed / kernel.sum(1, keepdim=True)


# %% nearest_alone: one nearest point alone for a place that is far from all, where two may be equally near
# loses: far away
def smooth(places, points, observed, bandwidth):
    squares = (places[:, None] - points).square().sum(-1)
    scores = -squares / (2 * bandwidth**2)
    far = scores.amax(1, keepdim=True) < -100
    return torch.where(far, observed[scores.argmax(1)], scores.softmax(1) @ observed)
