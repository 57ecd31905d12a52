# question 09.3
def rotate(x, positions, base=10000.0):
    batch, heads, time, d = x.shape
    y = []
    for j in range(d // 2):
        angle = positions.double() * math.exp(-2 * j / d * math.log(base))
        turn = torch.polar(torch.ones_like(angle), angle)
        pair = torch.complex(x[..., 2 * j].double(), x[..., 2 * j + 1].double())
        turned = pair * turn
        y += [turned.real, turned.imag]
    return torch.stack(y, dim=3).to(x.dtype)
