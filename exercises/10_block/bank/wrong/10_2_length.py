"""the sum of the squares in place of their mean"""
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().sum(dim=2, keepdim=True)
    return gain * centered / (variance + eps).sqrt() + bias
