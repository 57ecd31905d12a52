# question 10.5
# wrong: the variance as mean of squares minus square of the mean cancels for large means
# differs: float32, z = 10000 + noise of size 1
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    """The gradients of LayerNorm."""
    centred = z - z.mean(dim=-1, keepdim=True)
    scale = torch.sqrt((z.square().mean(dim=-1, keepdim=True) - z.mean(dim=-1, keepdim=True).square()).clamp(min=0) + eps)
    z_hat = centred / scale
    h = gain * upstream
    for_z = (h - h.mean(dim=-1, keepdim=True) - z_hat * (h * z_hat).mean(dim=-1, keepdim=True)) / scale
    return for_z, (upstream * z_hat).sum(dim=(0, 1)), upstream.sum(dim=(0, 1))
