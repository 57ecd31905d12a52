"""Named mistakes in question 10.3."""


# %% always_post: a block that is post-norm in both cases
# loses: pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% always_pre: a block that is pre-norm in both cases
# loses: post, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    u = x + attend(norm(x, 1))
    return u + network(norm(u, 2))


# %% attend_raw: pre-norm whose attention reads x without its norm
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


# %% bias_behind: a ReLU before the first bias is added
# loses: post, pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return (torch.relu(y @ p["W_1"]) + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% branch_norm: post-norm that normalizes the branch instead of the sum
# loses: post, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(u, 2))
    u = x + norm(attend(x), 1)
    return u + norm(network(u), 2)


# %% exchanged: pre-norm and post-norm, exchanged
# loses: post, pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if not pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% final_norm: pre-norm with one more norm behind the last sum
# loses: pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return norm(u + network(norm(u, 2)), 2)
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% first_from_norm: pre-norm whose first residual line starts from the norm
# loses: pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        y = norm(x, 1)
        u = y + attend(y)
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% from_norm: pre-norm whose residual lines start from the norm
# loses: pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        y = norm(x, 1)
        u = y + attend(y)
        y = norm(u, 2)
        return y + network(y)
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% gelu: a GELU in place of the ReLU
# loses: post, pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.nn.functional.gelu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% inplace_on_attended_pre: what attention found changed in place
# loses: pre
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
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = attend(norm(x, 1))
        u += x
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% line_from_x: a second residual line that starts from x
# loses: post, pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return x + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(x + network(u), 2)


# %% network_of_x: pre-norm whose network reads x in place of u
# loses: pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(x, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% no_relu: a network without the ReLU
# loses: post, pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    def network(y):
        return (y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% no_residual: a block without residual lines
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


# %% norms_exchanged: the gains and biases of the two norms, exchanged
# loses: post, pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{3 - n}"], p[f"bias_{3 - n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% one_norm: the first gain and bias in both norms
# loses: post, pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(u, 1))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 1)


# %% own_norm_two_squares: a norm of its own, which subtracts two large squares
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


# %% post_line_from_x: post-norm whose second residual line starts from x
# loses: post, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return u + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(x + network(u), 2)


# %% pre_line_from_x: pre-norm whose second residual line starts from x
# loses: pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        return x + network(norm(u, 2))
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)


# %% second_from_norm: pre-norm whose second residual line starts from the norm
# loses: pre, gradients
def block(x, attend, parameters, pre=False):
    p = parameters

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    def network(y):
        return torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]

    if pre:
        u = x + attend(norm(x, 1))
        y = norm(u, 2)
        return y + network(y)
    u = norm(x + attend(x), 1)
    return norm(u + network(u), 2)
