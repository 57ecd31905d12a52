"""A running maximum, numerator and denominator, in float64."""


def log_total(query, key, allowed):
    scores = torch.einsum("bqd,bkd->bqk", query.double(), key.double()) / query.shape[-1] ** 0.5
    scores = torch.where(allowed, scores, -torch.inf)
    largest = scores.amax(-1).clamp_min(-1e300)
    return largest + (scores - largest[..., None]).exp().sum(-1).log()


def merge(average, total, other_average, other_total):
    largest = torch.maximum(total, other_total).double().clamp_min(-1e300)
    one, two = (total - largest).exp(), (other_total - largest).exp()
    denominator = one + two
    numerator = one[..., None] * average + two[..., None] * other_average
    return numerator / denominator.clamp_min(1e-300)[..., None], largest + denominator.log()


def attention_in_blocks(query, blocks):
    largest = torch.full(query.shape[:2], -1e300, dtype=torch.float64)
    numerator, denominator = 0.0, torch.zeros_like(largest)
    for key, value, allowed in blocks:
        scores = query.double() @ key.double().mT / math.sqrt(query.shape[2])
        new = torch.maximum(largest, scores.masked_fill(~allowed, -1e300).amax(-1))
        weights = torch.where(allowed, (scores - new[..., None]).exp(), 0.0)
        shrink = (largest - new).exp()
        numerator = shrink[..., None] * numerator + weights @ value.double()
        denominator = shrink * denominator + weights.sum(-1)
        largest = new
    return (numerator / torch.where(denominator > 0, denominator, 1.0)[..., None]).float()
