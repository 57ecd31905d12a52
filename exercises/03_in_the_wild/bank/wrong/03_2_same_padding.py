"""PyTorch's padding "same", half of which stands behind the sequence, so that the future is read"""


# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    weight = kernel.flip(0).permute(1, 2, 0)
    return F.conv1d(x.mT, weight, dilation=dilation, padding="same").mT
