"""mean and variance over the whole sequence"""
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    centered = z - z.mean(dim=(1, 2), keepdim=True)
    variance = centered.square().mean(dim=(1, 2), keepdim=True)
    return gain * centered / (variance + eps).sqrt() + bias
