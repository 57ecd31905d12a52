# question 10.5
# wrong: the gradients of gain and bias are returned in the wrong order
# differs: any random input
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    """The gradients of LayerNorm."""
    centred = z - z.mean(dim=-1, keepdim=True)
    scale = torch.sqrt(centred.square().mean(dim=-1, keepdim=True) + eps)
    z_hat = centred / scale
    h = gain * upstream
    for_z = (h - h.mean(dim=-1, keepdim=True) - z_hat * (h * z_hat).mean(dim=-1, keepdim=True)) / scale
    return for_z, upstream.sum(dim=(0, 1)), (upstream * z_hat).sum(dim=(0, 1))
