"""itertools.product, and the loss written out."""


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
