# question 10.5
# wrong: the term through the variance is divided by the variance without epsilon
# differs: variance 1, eps 1: that term is twice as large
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    """The gradients of LayerNorm."""
    centred = z - z.mean(dim=-1, keepdim=True)
    scale = torch.sqrt(centred.square().mean(dim=-1, keepdim=True) + eps)
    z_hat = centred / scale
    h = gain * upstream
    for_z = (h - h.mean(dim=-1, keepdim=True) - centred * (h * centred).mean(dim=-1, keepdim=True) / (scale**2 - eps)) / scale
    return for_z, (upstream * z_hat).sum(dim=(0, 1)), upstream.sum(dim=(0, 1))
