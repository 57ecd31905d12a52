"""One number after the other is hidden or kept."""


def price(x, W, y, epsilon, rate):
    def mean_loss(logits, n):
        if n == len(x):
            return smoothed_loss(logits[None, None], torch.tensor([[y]]), epsilon, -100)
        hidden = mean_loss(logits, n + 1)
        kept = mean_loss(logits + x[n] / (1 - rate) * W[n], n + 1)
        return rate * hidden + (1 - rate) * kept

    mean = mean_loss(torch.zeros_like(W[0]), 0)
    return mean, mean - smoothed_loss((x @ W)[None, None], torch.tensor([[y]]), epsilon, -100)
