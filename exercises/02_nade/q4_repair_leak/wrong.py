"""Named mistakes in question 02.4."""


# %% bias_counted: log-odds in which c is still counted once for each token read
# loses: bias, training
def log_odds(x, W, c, V, b):
    terms = c + x[..., None] * W
    read = terms.cumsum(dim=1) - terms
    return b + (V * torch.sigmoid(c + read)).sum(dim=-1)


# %% bias_late: log-odds in which c is still summed, and is missing at the first position
# loses: bias, training
def log_odds(x, W, c, V, b):
    terms = c + x[..., None] * W
    read = terms.cumsum(dim=1) - terms
    return b + (V * torch.sigmoid(read)).sum(dim=-1)


# %% detached: log-odds whose sums are detached: what was read gives W no gradient
# loses: training
def log_odds(x, W, c, V, b):
    terms = x[..., None] * W
    read = (terms.cumsum(dim=1) - terms).detach()
    return b + (V * torch.sigmoid(c + read)).sum(dim=-1)


# %% overflow: a sigmoid written as an exponential over one plus itself, which is no number for large sums
# loses: training
def log_odds(x, W, c, V, b):
    terms = x[..., None] * W
    powers = (c + terms.cumsum(dim=1) - terms).exp()
    return b + (V * powers / (1 + powers)).sum(dim=-1)


# %% rolled: log-odds whose shift wraps around: the first position reads the last token's term
# loses: history, training
def log_odds(x, W, c, V, b):
    read = (x[..., None] * W).cumsum(dim=1).roll(1, dims=1)
    return b + (V * torch.sigmoid(c + read)).sum(dim=-1)


# %% shifted_weights: log-odds in which the token x_s meets the weights of position s + 1
# loses: history, training
def log_odds(x, W, c, V, b):
    before = torch.nn.functional.pad(x, (1, 0))[:, :-1]
    read = (before[..., None] * W).cumsum(dim=1)
    return b + (V * torch.sigmoid(c + read)).sum(dim=-1)


# %% still_peeks: log-odds that still read their own target
# loses: history, training
def log_odds(x, W, c, V, b):
    read = c + (x[..., None] * W).cumsum(dim=1)
    return b + (V * torch.sigmoid(read)).sum(dim=-1)


# %% through_probabilities: the logarithm of p / (1 - p) of a probability that rounds to 0 or 1
# loses: training
def log_odds(x, W, c, V, b):
    terms = x[..., None] * W
    read = terms.cumsum(dim=1) - terms
    hidden = torch.sigmoid(c + read)
    p = torch.sigmoid(b + (V * hidden).sum(dim=-1))
    return torch.log(p / (1 - p))


# %% two_back: log-odds that have lost the nearest token: a shift by two positions
# loses: history, training
def log_odds(x, W, c, V, b):
    terms = torch.nn.functional.pad(x[..., None] * W, (0, 0, 2, 0))[:, :-2]
    return b + (V * torch.sigmoid(c + terms.cumsum(dim=1))).sum(dim=-1)
