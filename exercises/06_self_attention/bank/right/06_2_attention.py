"""The square expanded: one more entry in query and key."""
def smooth(places, points, observed, bandwidth):
    d = places.shape[1] + 1
    query = torch.cat([places, torch.ones(len(places), 1)], 1) * d**0.5 / bandwidth**2
    key = torch.cat([points, -0.5 * (points**2).sum(1, keepdim=True)], 1)
    return attention(query[None], key[None], observed[None])[0]
