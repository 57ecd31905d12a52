"""A list of sub-layers, and functional linear maps."""
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
