"""a norm of its own, which subtracts two large squares"""
# loses: post
def block(x, attend, parameters, pre=False):
    """A Transformer block.

    x:          float tensor (batch, time, d)
    attend:     a function of a tensor (batch, time, d), of the same shape
    parameters: dict of float tensors: W_1 (d, m), b_1 (m,), W_2 (m, d),
                b_2 (d,), and gain_1, bias_1, gain_2, bias_2, each (d,)
    returns:    float tensor (batch, time, d)
    """
    p = parameters

    def norm(y, n):
        mean = y.mean(-1, keepdim=True)
        variance = ((y * y).mean(-1, keepdim=True) - mean * mean).clamp(min=0)
        return p[f"gain_{n}"] * (y - mean) / (variance + 1e-5).sqrt() + p[f"bias_{n}"]

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)
