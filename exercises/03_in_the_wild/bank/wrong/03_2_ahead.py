"""a convolution that looks ahead: W_i meets the input i dilations later"""


# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, 0, reach))
    output = 0
    for i, weight in enumerate(kernel):
        first = i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output
