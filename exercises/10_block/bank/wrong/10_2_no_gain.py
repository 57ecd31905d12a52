"""a norm without its gain"""
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return centered / (variance + eps).sqrt() + bias
