"""the mean over the taps in place of the sum"""


# loses: values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output / len(kernel)
