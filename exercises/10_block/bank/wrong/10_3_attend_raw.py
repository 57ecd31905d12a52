"""pre-norm whose attention reads x without its norm"""
# loses: pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(x)
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)
