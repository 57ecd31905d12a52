"""Named mistakes in question 10.2."""


# %% bias_inside: the bias multiplied by the gain
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * (centered / (variance + eps).sqrt() + bias)


# %% corrected_back: the sample variance times (d - 1) / d, which is NaN for a single feature
# loses: epsilon, tiny, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    d = z.shape[2]
    variance = z.var(dim=2, keepdim=True, correction=1) * (d - 1) / d
    return gain * (z - z.mean(dim=2, keepdim=True)) / (variance + eps).sqrt() + bias


# %% detached: mean and deviation that send no gradient back
# loses: gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    mean = z.mean(dim=2, keepdim=True).detach()
    root = (variance + eps).sqrt().detach()
    return gain * (z - mean) / root + bias


# %% epsilon_least: a variance that is at least epsilon, in place of the sum of the two
# loses: epsilon, tiny, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / variance.clamp(min=eps).sqrt() + bias


# %% epsilon_squared: the square of epsilon in the root
# loses: epsilon, tiny, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / (variance + eps**2).sqrt() + bias


# %% ignored: an epsilon that is always the default
# loses: epsilon, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / (variance + 1e-5).sqrt() + bias


# %% length: the sum of the squares in place of their mean
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().sum(dim=2, keepdim=True)
    return gain * centered / (variance + eps).sqrt() + bias


# %% mean_square: the root mean square in place of the deviation, and no mean subtracted
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * z / (z.square().mean(dim=2, keepdim=True) + eps).sqrt() + bias


# %% no_bias: LayerNorm without the bias
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / (variance + eps).sqrt()


# %% no_epsilon: a norm without the epsilon
# loses: epsilon, tiny, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / variance.sqrt() + bias


# %% no_gain: a norm without its gain
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return centered / (variance + eps).sqrt() + bias


# %% no_mean: the mean not subtracted
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * z / (variance + eps).sqrt() + bias


# %% no_root: the variance in place of the deviation
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / (variance + eps) + bias


# %% outside: epsilon added to the deviation
# loses: epsilon, tiny, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * centered / ((variance + 1e-30).sqrt() + eps) + bias


# %% positions: mean and variance over the positions
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    centered = z - z.mean(dim=1, keepdim=True)
    variance = centered.square().mean(dim=1, keepdim=True)
    return gain * centered / (variance + eps).sqrt() + bias


# %% root_squared: the square of the variance's root, which has no gradient where all features are equal
# loses: gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    deviation = centered.square().mean(dim=2, keepdim=True).sqrt()
    return gain * centered / (deviation.square() + eps).sqrt() + bias


# %% sample: the sample variance, which divides by one feature less
# loses: values, epsilon, offset, tiny, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    variance = z.var(dim=2, keepdim=True, correction=1)
    return gain * centered / (variance + eps).sqrt() + bias


# %% sequence: mean and variance over the whole sequence
# loses: values, epsilon, tiny, offset, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    centered = z - z.mean(dim=(1, 2), keepdim=True)
    variance = centered.square().mean(dim=(1, 2), keepdim=True)
    return gain * centered / (variance + eps).sqrt() + bias


# %% spikes_cut: normalized features that end at 5
# loses: values, epsilon, gradients
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    return gain * (centered / (variance + eps).sqrt()).clamp(-5, 5) + bias


# %% squares: the mean square minus the squared mean
# loses: offset
def layer_norm(z, gain, bias, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    variance = z.square().mean(2, keepdim=True) - z.mean(2, keepdim=True).square()
    return gain * centered / (variance.clamp(min=0) + eps).sqrt() + bias
