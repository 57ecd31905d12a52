"""Named mistakes in question 10.5."""


# %% averaged: averages over the positions for gain and bias
# loses: parameters
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    for_gain, for_bias = (upstream * z_hat).mean((0, 1)), upstream.mean((0, 1))
    return for_z, for_gain, for_bias


# %% constants: mean and deviation treated as constants
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    for_z = h / root
    return for_z, for_gain, for_bias


# %% corrected_back: the sample variance times (d - 1) / d, which is NaN for a single feature
# loses: parameters, features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    d = z.shape[2]
    centered = z - z.mean(dim=2, keepdim=True)
    variance = z.var(dim=2, keepdim=True) * (d - 1) / d
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    return for_z, (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))


# %% exchanged: the gradients of gain and bias exchanged
# loses: parameters
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    for_gain, for_bias = for_bias, for_gain
    return for_z, for_gain, for_bias


# %% fixed_epsilon: no epsilon, or always the default one
# loses: parameters, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + 1e-5).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    return for_z, for_gain, for_bias


# %% floor: deviations below a thousandth raised to a thousandth
# loses: parameters, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    root = (centered.square().mean(dim=2, keepdim=True) + eps).sqrt().clamp(min=1e-3)
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    return for_z, (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))


# %% gain_last: the gain multiplied after the means are taken
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    along = (upstream * z_hat).mean(dim=2, keepdim=True)
    for_z = gain * (upstream - upstream.mean(dim=2, keepdim=True) - z_hat * along) / root
    return for_z, for_gain, for_bias


# %% gain_of_h: gradients of gain and bias that the gain has multiplied
# loses: parameters
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (h * z_hat).sum((0, 1)), h.sum((0, 1))
    return for_z, for_gain, for_bias


# %% half: half of the variance's term
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along / 2) / root
    return for_z, for_gain, for_bias


# %% inner_sum: the sum in place of the mean in the variance's term
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    along = (h * z_hat).sum(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    return for_z, for_gain, for_bias


# %% mean_only: the deviation treated as a constant
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    for_z = (h - h.mean(dim=2, keepdim=True)) / root
    return for_z, for_gain, for_bias


# %% no_gain: the gradient without the gain
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    g = upstream
    along = (g * z_hat).mean(dim=2, keepdim=True)
    for_z = (g - g.mean(dim=2, keepdim=True) - z_hat * along) / root
    return for_z, for_gain, for_bias


# %% no_root: the factor in front left out
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    for_z = for_z * root
    return for_z, for_gain, for_bias


# %% plus: the variance's term with a plus sign
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    for_z = (h - h.mean(dim=2, keepdim=True) + z_hat * along) / root
    return for_z, for_gain, for_bias


# %% raw_gain: the gain multiplied with z as it is
# loses: parameters
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    for_gain = (upstream * z).sum((0, 1))
    return for_z, for_gain, for_bias


# %% sample: the sample variance, which divides by one feature less
# loses: parameters, features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = z.var(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    return for_z, for_gain, for_bias


# %% squeezed: the gradients of a single feature without their dimension
# loses: parameters
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    """The gradients of LayerNorm.

    z:        float tensor (batch, time, d)
    gain:     float tensor (d,)
    upstream: float tensor (batch, time, d), the gradient for the output
    returns:  float tensors (batch, time, d), (d,) and (d,), the gradients
              for z, for the gain and for the bias
    """
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain = (upstream * z_hat).sum(dim=(0, 1), keepdim=True).squeeze()
    for_bias = upstream.sum(dim=(0, 1), keepdim=True).squeeze()
    return for_z, for_gain, for_bias


# %% sums: sums in place of the two means
# loses: features, epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    along = (h * z_hat).sum(dim=2, keepdim=True)
    for_z = (h - h.sum(dim=2, keepdim=True) - z_hat * along) / root
    return for_z, for_gain, for_bias


# %% two_squares: a variance from the difference of two large squares
# loses: parameters, features
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    """The gradients of LayerNorm.

    z:        float tensor (batch, time, d)
    gain:     float tensor (d,)
    upstream: float tensor (batch, time, d), the gradient for the output
    returns:  float tensors (batch, time, d), (d,) and (d,), the gradients
              for z, for the gain and for the bias
    """
    centered = z - z.mean(dim=2, keepdim=True)
    variance = (z.square().mean(dim=2, keepdim=True) - z.mean(dim=2, keepdim=True).square()).clamp(min=0)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    return for_z, (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))


# %% unit_variance: normalized features taken to have variance 1 in spite of epsilon
# loses: epsilon
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    centered = z - z.mean(dim=2, keepdim=True)
    variance = centered.square().mean(dim=2, keepdim=True)
    root = (variance + eps).sqrt()
    z_hat = centered / root
    h = gain * upstream
    along = (h * z_hat).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - z_hat * along) / root
    for_gain, for_bias = (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))
    unit = centered / variance.clamp(min=1e-30).sqrt()
    along = (h * unit).mean(dim=2, keepdim=True)
    for_z = (h - h.mean(dim=2, keepdim=True) - unit * along) / root
    return for_z, for_gain, for_bias
