"""the square of epsilon in the root"""
# loses: epsilon, tiny, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / (variance + eps**2).sqrt() + bias
