"""the sample variance, which divides by one feature less"""
# loses: values, epsilon, offset, tiny, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    variance = z.var(dim=2, keepdim=True, correction=1)
    return gain * centered / (variance + eps).sqrt() + bias
