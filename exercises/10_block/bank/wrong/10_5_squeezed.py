"""the gradients of a single feature without their dimension"""
# loses: parameters
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    """The gradients of LayerNorm.

    z:        float tensor (batch, time, d)
    gain:     float tensor (d,)
    upstream: float tensor (batch, time, d), the gradient for the output
    returns:  float tensors (batch, time, d), (d,) and (d,), the gradients
              for z, for the gain and for the bias
    """
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain = (upstream * z_hat).sum(dim=(0, 1), keepdim=True).squeeze()
    for_bias = upstream.sum(dim=(0, 1), keepdim=True).squeeze()
    return for_z, for_gain, for_bias
