"""attention's own division by the root of the width, not undone"""
# loses: one length, anywhere
def smooth(places, points, observed, bandwidth):
    query = torch.cat([places, torch.ones(len(places), 1)], 1) / bandwidth**2
    key = torch.cat([points, -0.5 * (points**2).sum(1, keepdim=True)], 1)
    return attention(query[None], key[None], observed[None])[0]
