# question 06.2
# wrong: the root is that of the width without the added entry
# differs: d = 1, points 0 and 1, place 0, bandwidth 1
def smooth(places, points, observed, bandwidth):
    """The Gaussian-kernel average of the observations at each place."""
    # -|x - y|^2 / 2 = <x, y> - |y|^2 / 2 - |x|^2 / 2, the last is the same for all y
    x, y = places / bandwidth, points / bandwidth
    query = torch.cat([x, torch.ones_like(x[:, :1])], dim=1)
    key = torch.cat([y, -(y**2).sum(dim=1, keepdim=True) / 2], dim=1)
    query = query * math.sqrt(places.shape[1])
    return attention(query[None], key[None], observed[None])[0]
