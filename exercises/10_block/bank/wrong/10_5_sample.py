"""the sample variance, which divides by one feature less"""
# loses: parameters, features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = z.var(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    return for_z, for_gain, for_bias
