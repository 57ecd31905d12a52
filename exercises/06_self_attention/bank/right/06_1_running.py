"""One key at a time with a running maximum, numerator and denominator, in float64."""
def attention(query, key, value, allowed=None):
    query, key, value = query.double(), key.double(), value.double()
    largest = query.new_full(query.shape[:2], -1e300)
    top, bottom = 0.0, torch.zeros_like(largest)
    for j in range(key.shape[1]):
        score = (query * key[:, j, None]).sum(2) / math.sqrt(query.shape[2])
        seen = torch.ones_like(score, dtype=torch.bool) if allowed is None else allowed[:, :, j]
        new = torch.where(seen, torch.maximum(largest, score), largest)
        shrink = (largest - new).exp()
        term = torch.where(seen, (torch.where(seen, score, new) - new).exp(), 0.0)
        top = top * shrink[..., None] + term[..., None] * value[:, j, None]
        bottom = bottom * shrink + term
        largest = new
    return (top / torch.where(bottom > 0, bottom, 1.0)[..., None]).float()
