"""a variance that is at least epsilon, in place of the sum of the two"""
# loses: epsilon, tiny, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / variance.clamp(min=eps).sqrt() + bias
