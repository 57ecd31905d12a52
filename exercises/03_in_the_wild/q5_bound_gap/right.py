"""Right answers to question 03.5."""


# %% loops: One image and one pair of codes at a time, with the largest term taken out.
def log_bernoulli(pixel, logit):
    a = logit if pixel else -logit
    return a - math.log1p(math.exp(a)) if a < 0 else -math.log1p(math.exp(-a))


def measure(log_prior, logits, x, codes):
    pixels, code, every = [], [], []
    for image, (a, b) in zip(x, codes):
        table = [[sum(map(log_bernoulli, half, row)) for row in logits] for half in image]
        pixels.append(-table[0][a] - table[1][b])
        code.append(-log_prior[a, b])
        terms = [
            log_prior[i, j] + up + down for i, up in enumerate(table[0]) for j, down in enumerate(table[1])
        ]
        top = max(terms)
        every.append(-top - math.log(sum(math.exp(term - top) for term in terms)))
    distortion, rate = np.mean(pixels), np.mean(code)
    return dict(distortion=distortion, rate=rate, bound=rate + distortion, exact=np.mean(every))


report = {"distortion": 5.0029116, "rate": 2.5051658, "bound": 7.5080774, "exact": 7.3279959, "separate": 7.7722232}


# %% torch: Cross-entropies and sums of exponentials by PyTorch.
def measure(log_prior, logits, x, codes):
    log_prior, logits, x = (torch.as_tensor(a, dtype=torch.float64) for a in (log_prior, logits, x))
    upper, lower = torch.as_tensor(codes).long().unbind(1)
    white, black = F.logsigmoid(-logits), F.logsigmoid(logits)
    cost = -(x @ black.T + (1 - x) @ white.T)
    pixels = cost[:, 0].gather(1, upper[:, None]) + cost[:, 1].gather(1, lower[:, None])
    code = -log_prior[upper, lower]
    pairs = log_prior[None] - cost[:, 0].unsqueeze(2) - cost[:, 1].unsqueeze(1)
    result = {"distortion": pixels.mean(), "rate": code.mean()}
    result["bound"] = (pixels[:, 0] + code).mean()
    result["exact"] = -pairs.flatten(1).logsumexp(1).mean()
    return {name: value.item() for name, value in result.items()}


report = dict(distortion=5.002912, rate=2.505166, bound=7.508077, exact=7.327996, separate=7.772223)
