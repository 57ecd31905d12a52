"""The library's variance."""
def layer_norm(z, gain, bias, eps=1e-5):
    mean = z.mean(-1, keepdim=True)
    variance = z.var(-1, keepdim=True, unbiased=False)
    return (z - mean) * torch.rsqrt(variance + eps) * gain + bias
