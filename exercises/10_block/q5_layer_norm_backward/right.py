"""Right answers to question 10.5."""


# %% chain: The chain rule, through the variance and the mean.
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    d = z.shape[2]
    centered = z - z.mean(-1, keepdim=True)
    variance = (centered**2).sum(-1, keepdim=True) / d
    inverse = (variance + eps) ** -0.5
    for_hat = upstream * gain
    for_variance = (for_hat * centered).sum(-1, keepdim=True) * -0.5 * inverse**3
    for_centered = for_hat * inverse + for_variance * 2 * centered / d
    for_z = for_centered - for_centered.sum(-1, keepdim=True) / d
    for_gain = torch.einsum("btd,btd->d", upstream, centered * inverse)
    return for_z, for_gain, torch.einsum("btd->d", upstream)


# %% jacobian: The Jacobian of each position as a matrix.
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    d = z.shape[2]
    centered = z - z.mean(-1, keepdim=True)
    root = (centered.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    z_hat = centered / root
    bracket = torch.eye(d) - 1 / d - z_hat[..., :, None] * z_hat[..., None, :] / d
    for_z = (bracket @ (gain * upstream)[..., None])[..., 0] / root
    return for_z, (upstream * z_hat).sum(1).sum(0), upstream.sum(1).sum(0)


# %% loops: Position by position.
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    for_gain, for_bias = torch.zeros_like(gain), torch.zeros_like(gain)
    for_z = torch.zeros_like(z)
    for n in range(z.shape[0]):
        for t in range(z.shape[1]):
            centered = z[n, t] - z[n, t].mean()
            root = math.sqrt((centered @ centered).item() / len(centered) + eps)
            z_hat, h = centered / root, gain * upstream[n, t]
            for_gain = for_gain + upstream[n, t] * z_hat
            for_bias = for_bias + upstream[n, t]
            for_z[n, t] = (h - h.mean() - z_hat * (h * z_hat).mean()) / root
    return for_z, for_gain, for_bias
