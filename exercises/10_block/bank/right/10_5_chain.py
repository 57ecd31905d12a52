"""The chain rule, through the variance and the mean."""
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
