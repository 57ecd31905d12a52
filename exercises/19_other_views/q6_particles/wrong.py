"""Named mistakes in question 19.6."""


# %% average: the average itself, without the particle's own place taken away
# loses: attraction, step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% no_half: a kernel without its half
# loses: attraction, step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% repelled: a kernel without its minus sign, which draws to what is far
# loses: attraction, step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% over_queries: a softmax over those who are drawn
# loses: attraction, step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=1) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% distances: distances in place of their squares
# loses: attraction, step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * (squares + 1e-30).sqrt()).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% inner_products: plain inner products, as if all particles were equally far from zero
# loses: attraction, step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (beta * x @ x.mT).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% away: a force with the wrong sign
# loses: attraction, step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return x - (-beta / 2 * squares).softmax(dim=2) @ x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% others_only: an attraction without the particle's own weight
# loses: attraction, step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return ((-beta / 2 * squares).softmax(dim=2) - torch.eye(x.shape[1], dtype=x.dtype)).clamp(min=0.0) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% detached_weights: weights without a gradient
# loses: gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).detach().softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% standard: the standard block's order: attraction, then all of the network
# loses: step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h * attract(x, beta)
        x = x + h * network(x)
        places.append(x)
    return torch.stack(places)


# %% whole_networks: a network that counts whole on both sides
# loses: step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h * network(x)
        x = x + h * attract(x, beta)
        x = x + h * network(x)
        places.append(x)
    return torch.stack(places)


# %% exchanged: the attraction on both sides of the network
# loses: step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * attract(x, beta)
        x = x + h * network(x)
        x = x + h / 2 * attract(x, beta)
        places.append(x)
    return torch.stack(places)


# %% parallel: three parts that all read the start of the step
# loses: step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h * network(x) + h * attract(x, beta)
        places.append(x)
    return torch.stack(places)


# %% half_attraction: an attraction that counts half
# loses: step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + h / 2 * network(x)
        x = x + h / 2 * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% no_h: steps of size 1, whatever h is
# loses: step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        x = x + network(x) / 2
        x = x + attract(x, beta)
        x = x + network(x) / 2
        places.append(x)
    return torch.stack(places)


# %% stale_force: an attraction at the start of the step, in place of behind the first half
# loses: step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        force = attract(x, beta)
        x = x + h / 2 * network(x) + h * force
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% network_reused: a second half that the next step uses again, though its place has moved
# loses: path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    found = network(x)
    for _ in range(steps):
        x = x + h / 2 * found
        x = x + h * attract(x, beta)
        found = network(x)
        x = x + h / 2 * found
        places.append(x)
    return torch.stack(places)


# %% one_step_at_least: at least one step, also where none is asked for
# loses: path
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(max(steps, 1)):
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
        places.append(x)
    return torch.stack(places)


# %% late: places that are noted before the step, so that the start stands there twice
# loses: step, path, gradients
def attract(x, beta):
    squares = (x[:, :, None] - x[:, None]).square().sum(dim=3)
    return (-beta / 2 * squares).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = [x]
    for _ in range(steps):
        places.append(x)
        x = x + h / 2 * network(x)
        x = x + h * attract(x, beta)
        x = x + h / 2 * network(x)
    return torch.stack(places)
