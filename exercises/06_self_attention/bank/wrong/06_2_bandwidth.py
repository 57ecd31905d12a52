"""the bandwidth not squared"""
# loses: one length, anywhere, far away
def smooth(places, points, observed, bandwidth):
    squares = (places[:, None] - points).square().sum(-1)
    return torch.softmax(-squares / (2 * bandwidth), 1) @ observed
