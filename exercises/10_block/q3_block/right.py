"""Right answers to question 10.3."""


# %% lines: Every sub-layer written out.
def block(x, attend, parameters, pre=False):
    g1, b1 = parameters["gain_1"], parameters["bias_1"]
    g2, b2 = parameters["gain_2"], parameters["bias_2"]
    if pre:
        u = x + attend(layer_norm(x, g1, b1))
        normed = layer_norm(u, g2, b2)
        inner = (normed @ parameters["W_1"] + parameters["b_1"]).clamp(min=0)
        return u + inner @ parameters["W_2"] + parameters["b_2"]
    u = layer_norm(x + attend(x), g1, b1)
    inner = (u @ parameters["W_1"] + parameters["b_1"]).clamp(min=0)
    return layer_norm(u + inner @ parameters["W_2"] + parameters["b_2"], g2, b2)


# %% own_norm: Its own normalization, and einsum.
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


# %% sub_layers: A list of sub-layers, and functional linear maps.
def block(x, attend, parameters, pre=False):
    def network(y):
        inner = nn.functional.linear(y, parameters["W_1"].T, parameters["b_1"])
        return nn.functional.linear(torch.relu(inner), parameters["W_2"].T, parameters["b_2"])

    for n, branch in enumerate((attend, network), start=1):
        gain, bias = parameters[f"gain_{n}"], parameters[f"bias_{n}"]
        if pre:
            x = x + branch(layer_norm(x, gain, bias))
        else:
            x = layer_norm(x + branch(x), gain, bias)
    return x
