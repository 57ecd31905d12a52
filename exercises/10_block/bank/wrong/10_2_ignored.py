"""an epsilon that is always the default"""
# loses: epsilon, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / (variance + 1e-5).sqrt() + bias
