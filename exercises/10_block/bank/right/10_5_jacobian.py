"""The Jacobian of each position as a matrix."""
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    d = z.shape[2]
    centered = z - z.mean(-1, keepdim=True)
    root = (centered.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    z_hat = centered / root
    bracket = torch.eye(d) - 1 / d - z_hat[..., :, None] * z_hat[..., None, :] / d
    for_z = (bracket @ (gain * upstream)[..., None])[..., 0] / root
    return for_z, (upstream * z_hat).sum(1).sum(0), upstream.sum(1).sum(0)
