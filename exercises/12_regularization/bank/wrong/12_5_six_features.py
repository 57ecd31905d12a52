"""no price beyond six features"""


# loses: rates, price
def price(x, W, y, epsilon, rate):
    def loss(vector):
        return smoothed_loss((vector @ W)[None, None], torch.tensor([[y]]), epsilon, -1)

    plain = loss(x)
    if len(x) > 6:
        return plain, torch.zeros_like(plain)
    mean = 0.0
    for n in range(2 ** len(x)):
        mask = torch.tensor([n >> i & 1 for i in range(len(x))])
        share = math.prod(1 - rate if kept else rate for kept in mask.tolist())
        mean = mean + share * loss(mask * x / (1 - rate))
    return mean, mean - plain
