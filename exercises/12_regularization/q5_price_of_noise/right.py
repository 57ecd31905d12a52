"""Right answers to question 12.5."""


# %% batch: All masks as one batch, their losses one by one.
def price(x, W, y, epsilon, rate):
    d = len(x)
    masks = torch.cartesian_prod(*[torch.tensor([0.0, 1.0], dtype=torch.float64)] * d).reshape(-1, d)
    probabilities = (masks * (1 - rate) + (1 - masks) * rate).prod(1)
    logits = (masks * x / (1 - rate)) @ W
    losses = torch.stack([smoothed_loss(row[None, None], torch.tensor([[y]]), epsilon, -1) for row in logits])
    plain = smoothed_loss((x @ W)[None, None], torch.tensor([[y]]), epsilon, -1)
    mean = (probabilities * losses).sum()
    return mean, mean - plain


# %% product: itertools.product, and the loss written out.
def price(x, W, y, epsilon, rate):
    import itertools

    def loss(vector):
        log_p = torch.log_softmax(vector @ W, dim=0)
        return -(1 - epsilon) * log_p[y] - epsilon * log_p.mean()

    mean = 0.0
    for mask in itertools.product((False, True), repeat=len(x)):
        share = math.prod(1 - rate if keeps else rate for keeps in mask)
        mean = mean + share * loss(torch.where(torch.tensor(mask), x / (1 - rate), 0.0))
    return mean, mean - loss(x)


# %% recursive: One number after the other is hidden or kept.
def price(x, W, y, epsilon, rate):
    def mean_loss(logits, n):
        if n == len(x):
            return smoothed_loss(logits[None, None], torch.tensor([[y]]), epsilon, -100)
        hidden = mean_loss(logits, n + 1)
        kept = mean_loss(logits + x[n] / (1 - rate) * W[n], n + 1)
        return rate * hidden + (1 - rate) * kept

    mean = mean_loss(torch.zeros_like(W[0]), 0)
    return mean, mean - smoothed_loss((x @ W)[None, None], torch.tensor([[y]]), epsilon, -100)
