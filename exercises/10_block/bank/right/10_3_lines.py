"""Every sub-layer written out."""
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
