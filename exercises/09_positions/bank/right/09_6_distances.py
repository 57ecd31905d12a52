"""The angle of each distance."""


def far_scores(query, key, query_positions, key_positions, base=10000.0):
    d = query.shape[-1]
    distance = (query_positions[:, None] - key_positions[None]).double()
    angle = distance[..., None] * base ** (-torch.arange(0, d, 2).double() / d)
    a, b = query[:, :, None, 0::2].double(), query[:, :, None, 1::2].double()
    e, f = key[:, None, :, 0::2].double(), key[:, None, :, 1::2].double()
    return ((a * e + b * f) * angle.cos() + (a * f - b * e) * angle.sin()).sum(-1)
