"""All taps looked up at once, and what lies before the beginning set to zero."""


def causal_conv(x, kernel, dilation=1):
    time = torch.arange(x.shape[1])[:, None] - torch.arange(len(kernel)) * dilation
    taps = x[:, time.clamp(min=0)] * (time >= 0)[None, :, :, None]
    return torch.einsum("btki,koi->bto", taps, kernel)
