"""Right answers to question 10.2."""


# %% double: In double precision, with einsum.
def layer_norm(z, gain, bias, eps=1e-5):
    wide = z.double()
    d = wide.shape[-1]
    centered = wide - torch.einsum("btd->bt", wide)[..., None] / d
    variance = torch.einsum("btd,btd->bt", centered, centered)[..., None] / d
    return (gain * centered * (variance + eps) ** -0.5 + bias).to(z.dtype)


# %% loops: Position by position.
def layer_norm(z, gain, bias, eps=1e-5):
    rows = []
    for sequence in z:
        for row in sequence:
            deviations = row - row.sum() / len(row)
            variance = (deviations**2).sum() / len(row)
            rows.append(gain * (deviations / torch.sqrt(variance + eps)) + bias)
    return torch.stack(rows).reshape(z.shape)


# %% var: The library's variance.
def layer_norm(z, gain, bias, eps=1e-5):
    mean = z.mean(-1, keepdim=True)
    variance = z.var(-1, keepdim=True, unbiased=False)
    return (z - mean) * torch.rsqrt(variance + eps) * gain + bias
