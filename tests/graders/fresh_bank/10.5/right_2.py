# question 10.5
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    batch, time, d = z.shape
    rows, g = z.reshape(-1, d), upstream.reshape(-1, d)
    rows = rows - rows[:, :1]                      # far from zero no more
    variance, mean = torch.var_mean(rows, dim=1, unbiased=False, keepdim=True)
    inverse = (variance + eps).rsqrt()
    apart = rows - mean
    for_gain = torch.einsum("nd,nd->d", g, apart * inverse)
    for_bias = g.sum(dim=0)
    h = g * gain
    # through the variance: d inverse / d variance = -inverse ** 3 / 2
    for_variance = (h * apart).sum(dim=1, keepdim=True) * (-0.5) * inverse**3
    for_apart = h * inverse + for_variance * 2 * apart / d
    for_z = for_apart - for_apart.sum(dim=1, keepdim=True) / d
    return for_z.reshape(batch, time, d), for_gain, for_bias
