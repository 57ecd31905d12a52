"""All masks as one batch, their losses one by one."""


def price(x, W, y, epsilon, rate):
    d = len(x)
    masks = torch.cartesian_prod(*[torch.tensor([0.0, 1.0], dtype=torch.float64)] * d).reshape(-1, d)
    probabilities = (masks * (1 - rate) + (1 - masks) * rate).prod(1)
    logits = (masks * x / (1 - rate)) @ W
    losses = torch.stack([smoothed_loss(row[None, None], torch.tensor([[y]]), epsilon, -1) for row in logits])
    plain = smoothed_loss((x @ W)[None, None], torch.tensor([[y]]), epsilon, -1)
    mean = (probabilities * losses).sum()
    return mean, mean - plain
