"""Named mistakes in question 03.2."""


# %% ahead: a convolution that looks ahead: W_i meets the input i dilations later
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, 0, reach))
    output = 0
    for i, weight in enumerate(kernel):
        first = i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% around: a convolution that goes around: the end of the sequence stands before its beginning
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    output = 0
    for i, weight in enumerate(kernel):
        turned = x.roll(i * dilation, 1)
        output = output + turned @ weight.T
    return output


# %% centered: a convolution padded on both sides, which looks ahead too
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach - reach // 2, reach))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% cut_in_front: padding on both sides and the places in front cut away, so that only the present and the future are read
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    weight = kernel.flip(0).permute(1, 2, 0)
    reach = (len(kernel) - 1) * dilation
    return F.conv1d(x.mT, weight, dilation=dilation, padding=reach)[:, :, reach:].mT


# %% detached: a convolution from which no gradient comes back
# loses: gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output.detach() + 0 * (x.sum() + kernel.sum())


# %% dilation_extra: dilation places skipped between taps, not dilation - 1
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    dilation = dilation + 1
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% dilation_ignored: taps side by side, whatever the dilation
# loses: lags, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], len(kernel) - 1
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% dilation_power: taps 2**dilation apart
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    dilation = min(2**dilation, x.shape[1])
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% eight_taps: the first eight taps of a kernel alone
# loses: values
def causal_conv(x, kernel, dilation=1):
    kernel = kernel[:8]
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% first_repeated: the first input repeated before the beginning, in place of zeros
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = torch.cat([x[:, :1].repeat(1, reach, 1), x], dim=1)
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% first_tap: one matrix for all taps
# loses: values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ kernel[0].T
    return output


# %% flipped: a kernel whose last matrix reads the present, as in PyTorch
# loses: values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% kernel_detached: a kernel that gets no gradient
# loses: gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel.detach()):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% kept_inside: a dilation cut so that the tap before the present stays inside the sequence
# loses: dilated
def causal_conv(x, kernel, dilation=1):
    dilation = min(dilation, max(1, x.shape[1] - 1))
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% last_tap: a kernel without its last tap
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel[: max(1, len(kernel) - 1)]):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% mean: the mean over the taps in place of the sum
# loses: values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output / len(kernel)


# %% nothing: zeros
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return 0 * output


# %% relu: a ReLU that nobody asked for
# loses: values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output.relu()


# %% same_padding: PyTorch's padding "same", half of which stands behind the sequence, so that the future is read
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    weight = kernel.flip(0).permute(1, 2, 0)
    return F.conv1d(x.mT, weight, dilation=dilation, padding="same").mT


# %% short: places without a whole kernel before them left at zero
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output * (torch.arange(time) >= reach)[:, None]


# %% strict: a convolution that does not see the present
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    time, reach = x.shape[1], (len(kernel) - 1) * dilation
    padded = F.pad(x, (0, 0, reach + 1, 0))
    output = 0
    for i, weight in enumerate(kernel):
        first = reach - i * dilation
        output = output + padded[:, first : first + time] @ weight.T
    return output


# %% taps_of_powers: taps at d, d^2, d^3, ... places before the present
# loses: lags, values, dilated, gradients
def causal_conv(x, kernel, dilation=1):
    output = x @ kernel[0].T
    for i in range(1, len(kernel)):
        back = dilation**i
        output = output + F.pad(x, (0, 0, back, 0))[:, : x.shape[1]] @ kernel[i].T
    return output
