"""a kernel without the 2 below the square"""
# loses: one length, anywhere
def smooth(places, points, observed, bandwidth):
    squares = (places[:, None] - points).square().sum(-1)
    return torch.softmax(-squares / bandwidth**2, 1) @ observed
