"""the first input repeated before the beginning, in place of zeros"""


# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = torch.cat([x[:, :1].repeat(1, reach, 1), x], dim=1)
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output
