"""a convolution that goes around: the end of the sequence stands before its beginning"""


# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    output = 0
    for i, weight in enumerate(kernel):
        turned = x.roll(i * dilation, 1)
        output = output + turned @ weight.T
    return output
