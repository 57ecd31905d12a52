"""mean and deviation that send no gradient back"""
# loses: gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    mean = z.mean(dim=2, keepdim=True).detach()
    root = (variance + eps).sqrt().detach()
    return gain * (z - mean) / root + bias
