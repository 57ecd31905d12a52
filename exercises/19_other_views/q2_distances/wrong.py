"""Named mistakes in question 19.2."""


# %% no_squares: inner products alone, as if all points were equally long
# loses: weights, far, gradients
def query_and_key(x, points, beta):
    center = points.mean(dim=1, keepdim=True)
    return x - center, beta * (points - center)


# %% no_half: the square of the point without its half
# loses: weights, far, gradients
def query_and_key(x, points, beta):
    center = points.mean(dim=1, keepdim=True)
    x, points = x - center, points - center
    squares = points.square().sum(dim=2, keepdim=True)
    query = torch.cat([x, torch.ones_like(x[:, :, :1])], dim=2)
    return query, beta * torch.cat([points, -squares], dim=2)


# %% plus_squares: the square of the point with a plus sign
# loses: weights, far, gradients
def query_and_key(x, points, beta):
    center = points.mean(dim=1, keepdim=True)
    x, points = x - center, points - center
    squares = points.square().sum(dim=2, keepdim=True)
    query = torch.cat([x, torch.ones_like(x[:, :, :1])], dim=2)
    return query, beta * torch.cat([points, squares / 2], dim=2)


# %% beta_products_only: a beta that the squares do not have
# loses: weights, far, gradients
def query_and_key(x, points, beta):
    center = points.mean(dim=1, keepdim=True)
    x, points = x - center, points - center
    squares = points.square().sum(dim=2, keepdim=True)
    query = torch.cat([x, torch.ones_like(x[:, :, :1])], dim=2)
    return query, torch.cat([beta * points, -squares / 2], dim=2)


# %% beta_twice: a beta on both sides, so that it counts squared
# loses: weights, far, gradients
def query_and_key(x, points, beta):
    center = points.mean(dim=1, keepdim=True)
    x, points = x - center, points - center
    squares = points.square().sum(dim=2, keepdim=True)
    query = beta * torch.cat([x, torch.ones_like(x[:, :, :1])], dim=2)
    return query, beta * torch.cat([points, -squares / 2], dim=2)


# %% lengths: the length of the point in place of its square
# loses: weights, far, gradients
def query_and_key(x, points, beta):
    center = points.mean(dim=1, keepdim=True)
    x, points = x - center, points - center
    length = (points.square().sum(dim=2, keepdim=True) + 1e-30).sqrt()
    query = torch.cat([x, torch.ones_like(x[:, :, :1])], dim=2)
    return query, beta * torch.cat([points, -length / 2], dim=2)


# %% unit_keys: keys divided by their lengths
# loses: weights, far, gradients
def query_and_key(x, points, beta):
    center = points.mean(dim=1, keepdim=True)
    x, points = x - center, points - center
    length = (points.square().sum(dim=2, keepdim=True) + 1e-30).sqrt()
    return x, beta * points / length


# %% doubled: the kernel without its half, exp(-beta |x - p|^2)
# loses: weights, far, gradients
def query_and_key(x, points, beta):
    center = points.mean(dim=1, keepdim=True)
    x, points = x - center, points - center
    squares = points.square().sum(dim=2, keepdim=True)
    query = torch.cat([x, torch.ones_like(x[:, :, :1])], dim=2)
    return query, 2 * beta * torch.cat([points, -squares / 2], dim=2)


# %% uncentered: squares in float32 as they are, which have no digits left far from zero
# loses: far
def query_and_key(x, points, beta):
    squares = points.square().sum(dim=2, keepdim=True)
    query = torch.cat([x, torch.ones_like(x[:, :, :1])], dim=2)
    return query, beta * torch.cat([points, -squares / 2], dim=2)


# %% own_centers: places and points moved by different amounts
# loses: weights, far, gradients
def query_and_key(x, points, beta):
    x = x - x.mean(dim=1, keepdim=True)
    points = points - points.mean(dim=1, keepdim=True)
    squares = points.square().sum(dim=2, keepdim=True)
    query = torch.cat([x, torch.ones_like(x[:, :, :1])], dim=2)
    return query, beta * torch.cat([points, -squares / 2], dim=2)


# %% detached_squares: squares of the points without a gradient
# loses: gradients
def query_and_key(x, points, beta):
    center = points.mean(dim=1, keepdim=True)
    x, points = x - center, points - center
    squares = points.square().sum(dim=2, keepdim=True).detach()
    query = torch.cat([x, torch.ones_like(x[:, :, :1])], dim=2)
    return query, beta * torch.cat([points, -squares / 2], dim=2)
