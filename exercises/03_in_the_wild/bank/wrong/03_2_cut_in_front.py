"""padding on both sides and the places in front cut away, so that only the present and the future are read"""


# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    weight = kernel.flip(0).permute(1, 2, 0)
    reach = (len(kernel) - 1) * dilation
    return F.conv1d(x.mT, weight, dilation=dilation, padding=reach)[:, :, reach:].mT
