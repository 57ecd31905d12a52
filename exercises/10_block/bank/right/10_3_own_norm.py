"""Its own normalization, and einsum."""
def block(x, attend, parameters, pre=False):
    def norm(y, n):
        centered = y - y.mean(-1, keepdim=True)
        root = (centered.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt()
        return parameters["gain_" + n] * centered / root + parameters["bias_" + n]

    def network(y):
        inner = torch.einsum("btd,dm->btm", y, parameters["W_1"]) + parameters["b_1"]
        inner = torch.where(inner > 0, inner, torch.zeros_like(inner))
        return torch.einsum("btm,md->btd", inner, parameters["W_2"]) + parameters["b_2"]

    if not pre:
        u = norm(x + attend(x), "1")
        return norm(u + network(u), "2")
    u = x + attend(norm(x, "1"))
    return u + network(norm(u, "2"))
