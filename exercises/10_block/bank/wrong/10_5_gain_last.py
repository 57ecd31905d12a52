"""the gain multiplied after the means are taken"""
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    along = (upstream * z_hat).mean(dim=2, keepdim=True)
    for_z = gain * (upstream - upstream.mean(dim=2, keepdim=True) - z_hat * along) / root
    return for_z, for_gain, for_bias
