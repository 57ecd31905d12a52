"""Each feature and its partner."""


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = (base ** (-torch.arange(0, d, 2) / d)).repeat_interleave(2)
    angle = positions[:, None] * rate
    partner = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape(x.shape)
    return x * angle.cos() + partner * angle.sin()
