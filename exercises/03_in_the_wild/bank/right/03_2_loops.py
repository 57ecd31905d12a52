"""Place by place, in float64."""


def causal_conv(x, kernel, dilation=1):
    rows = []
    for t in range(x.size(1)):
        row = x.new_zeros(x.size(0), kernel.size(1), dtype=torch.float64)
        for i in range(kernel.size(0)):
            s = t - i * dilation
            if s >= 0:
                row = row + torch.einsum("bi,oi->bo", x[:, s].double(), kernel[i].double())
        rows.append(row)
    return torch.stack(rows, dim=1)
