"""a block without residual lines"""
# loses: post, pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        return network(norm(attend(norm(x, 1)), 2))
    return norm(network(norm(attend(x), 1)), 2)
