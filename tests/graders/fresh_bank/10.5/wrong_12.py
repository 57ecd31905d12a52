# question 10.5
# wrong: the gain's gradient uses z less its mean, without the division by the deviation
# differs: z of deviation 3
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    """The gradients of LayerNorm."""
    centred = z - z.mean(dim=-1, keepdim=True)
    scale = torch.sqrt(centred.square().mean(dim=-1, keepdim=True) + eps)
    z_hat = centred / scale
    h = gain * upstream
    for_z = (h - h.mean(dim=-1, keepdim=True) - z_hat * (h * z_hat).mean(dim=-1, keepdim=True)) / scale
    return for_z, (upstream * centred).sum(dim=(0, 1)), upstream.sum(dim=(0, 1))
