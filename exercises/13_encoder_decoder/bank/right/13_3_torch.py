"""The same loop with tensors."""


def adam_path(gradients, rates, beta_1, beta_2, eps):
    g = torch.as_tensor(gradients)
    m, v, theta = torch.zeros(3, g.shape[1], dtype=g.dtype)
    path = []
    for t in range(len(g)):
        m = torch.lerp(g[t], m, float(beta_1))
        v = torch.lerp(g[t].square(), v, float(beta_2))
        root = (v / (1 - beta_2 ** (t + 1))).sqrt()
        theta = theta - float(rates[t]) * m / (1 - beta_1 ** (t + 1)) / (root + eps)
        path.append(theta)
    return torch.stack(path)
