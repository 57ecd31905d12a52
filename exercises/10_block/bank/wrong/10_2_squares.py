"""the mean square minus the squared mean"""
# loses: offset
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    variance = z.square().mean(2, keepdim=True) - z.mean(2, keepdim=True).square()
    return gain * centered / (variance.clamp(min=0) + eps).sqrt() + bias
