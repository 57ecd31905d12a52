"""Right answers to question 19.6."""


# %% inner_products: Attention by inner products, around a center, in float64.
def attract(x, beta):
    x = x.double()
    x = x - x.mean(dim=1, keepdim=True)
    keys = torch.cat([x, -x.square().sum(2, keepdim=True) / 2], dim=2)
    queries = torch.cat([x, torch.ones_like(x[..., :1])], dim=2)
    return (beta * queries @ keys.mT).softmax(dim=2) @ x - x


def path(x, network, beta, h, steps):
    places = x.double()[None]
    for _ in range(steps):
        x = places[-1]
        x = x + h * network(x) / 2
        x = x + h * attract(x, beta)
        x = x + h * network(x) / 2
        places = torch.cat([places, x[None]])
    return places


# %% differences: An average of the differences, and a path written into a list from its end.
def attract(x, beta):
    apart = x.unsqueeze(1) - x.unsqueeze(2)  # from particle i to particle j
    scores = torch.einsum("bijd,bijd->bij", apart, apart) * (-0.5 * beta)
    return torch.einsum("bij,bijd->bid", scores.softmax(dim=-1), apart)


def path(x, network, beta, h, steps):
    if steps == 0:
        return x.unsqueeze(0).clone()
    before = path(x, network, beta, h, steps - 1)
    a = before[-1] + (h / 2) * network(before[-1])
    b = a + h * attract(a, beta)
    return torch.cat([before, (b + (h / 2) * network(b)).unsqueeze(0)])


# %% strang: Strang's splitting of two flows by Euler, particle by particle.
def attract(x, beta):
    forces = []
    for i in range(x.shape[1]):
        apart = x - x[:, i : i + 1]
        weights = torch.softmax(-beta / 2 * (apart**2).sum(-1), dim=1)
        forces.append((weights.unsqueeze(-1) * apart).sum(1))
    return torch.stack(forces, dim=1)


def path(x, network, beta, h, steps):
    def euler(field):
        return lambda y, time: y + time * field(y)

    G, F = euler(network), euler(lambda y: attract(y, beta))
    places = [x]
    for _ in range(steps):
        places.append(G(F(G(places[-1], h / 2), h), h / 2))
    return torch.stack(places, dim=0)
