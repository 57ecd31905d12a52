"""Right answers to question 19.2."""


# %% all_three: All three terms of the square, the place's own too, in float64.
def query_and_key(x, points, beta):
    x, points = x.double(), points.double()
    ones_x, ones_p = torch.ones_like(x[..., :1]), torch.ones_like(points[..., :1])
    query = torch.cat([x, ones_x, (x**2).sum(-1, keepdim=True)], -1)
    key = torch.cat([points, -(points**2).sum(-1, keepdim=True) / 2, -ones_p / 2], -1)
    return query * beta, key


# %% first_point: The first point of each entry in the place of zero, and the root of beta on either side.
def query_and_key(x, points, beta):
    origin = points[:, :1].clone()
    root = math.sqrt(beta)
    x, points = root * (x - origin), root * (points - origin)
    half = torch.einsum("bnd,bnd->bn", points, points) / 2
    key = torch.cat((points, half[:, :, None]), dim=2)
    minus = torch.full(x.shape[:2] + (1,), -1.0, dtype=x.dtype)
    return torch.cat((x, minus), dim=2), key


# %% feature_by_feature: Squares of each feature apart, so that keys are twice as wide, in float64.
def query_and_key(x, points, beta):
    x, points = x.to(torch.float64), points.to(torch.float64)
    query = torch.cat([x, torch.ones_like(x)], dim=-1)
    key = torch.cat([beta * points, -beta / 2 * points.square()], dim=-1)
    return query, key


# %% distances: A feature for each point: the scores themselves, and unit vectors as keys.
def query_and_key(x, points, beta):
    squares = (x[:, :, None] - points[:, None]).square().sum(-1)
    units = torch.eye(points.shape[1], dtype=x.dtype).expand(len(x), -1, -1)
    return -beta / 2 * squares, units
