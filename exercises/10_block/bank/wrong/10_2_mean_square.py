"""the root mean square in place of the deviation, and no mean subtracted"""
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * z / (z.square().mean(dim=2, keepdim=True) + eps).sqrt() + bias
