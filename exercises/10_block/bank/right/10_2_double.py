"""In double precision, with einsum."""
def layer_norm(z, gain, bias, eps=1e-5):
    wide = z.double()
    d = wide.shape[-1]
    centered = wide - torch.einsum("btd->bt", wide)[..., None] / d
    variance = torch.einsum("btd,btd->bt", centered, centered)[..., None] / d
    return (gain * centered * (variance + eps) ** -0.5 + bias).to(z.dtype)
