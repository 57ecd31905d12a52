"""The least probability that is kept, found for each row, and minus infinity for the others."""


def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    z = logits.double() / temperature
    if top_k is not None:
        k = min(top_k, z.shape[1])
        least = z.topk(k, dim=1).values[:, -1:]
        z = z.masked_fill(z < least, -math.inf)
    if top_p is not None:
        p = torch.softmax(z, dim=1)
        larger = p[:, None, :] > p[:, :, None]
        above = (larger * p[:, None, :]).sum(dim=2)
        z = z.masked_fill(above >= top_p, -math.inf)
    return torch.softmax(z, dim=1)
