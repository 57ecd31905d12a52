"""Named mistakes in question 02.1."""


# %% biases_summed: scores in which the biases b of all earlier positions are added up
# loses: written, values, short, gradients
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1) - terms)
    return (b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden)).cumsum(1)


# %% last_parameters: a short sequence that uses the last parameters instead of the first
# loses: first, short
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    V, c, W, b = V[-time:], c[-time:], W[-time:], b[-time:]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c + terms.cumsum(1) - terms)
    return b + torch.einsum("tdk,btk->btd", W, hidden).cumsum(1)


# %% one_bias: a NADE with one c for all positions, the first
# loses: written, values, short, gradients
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[0] + terms.cumsum(1) - terms)
    return b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden).cumsum(1)


# %% overflow: a sigmoid written as an exponential over one plus itself, which is no number for large sums
# loses: values, gradients
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    powers = (c[:time] + terms.cumsum(1) - terms).exp()
    return b[:time] + torch.einsum("tdk,btk->btd", W[:time], powers / (1 + powers)).cumsum(1)


# %% own_layer: the scores of the classic NADE: each reads its own hidden layer alone
# loses: written, values, short, gradients
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1) - terms)
    return b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden)


# %% peek: a hidden layer that reads its own target: s <= t in the first sum
# loses: first, causal, values, short, gradients
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1))
    return b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden).cumsum(1)


# %% sigmoid_by_hand: a sigmoid written with an exponential: its gradient is NaN where that is infinite
# loses: gradients
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = 1 / (1 + (-(c[:time] + terms.cumsum(1) - terms)).exp())
    return b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden).cumsum(1)


# %% spread: a short sequence whose positions are spread over all p parameters
# loses: short
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    places = torch.arange(time) * len(V) // time
    V, c, W, b = V[places], c[places], W[places], b[places]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c + terms.cumsum(1) - terms)
    return b + torch.einsum("tdk,btk->btd", W, hidden).cumsum(1)


# %% square_transposed: a W that is transposed where it is square
# loses: first, written, values, short, gradients
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1) - terms)
    matrices = W[:time] if W.shape[1] == hidden.shape[-1] else W[:time].mT
    return b[:time] + torch.einsum("tkd,btk->btd", matrices, hidden).cumsum(1)


# %% squeezed: a squeeze() that also removes the batch of one and the time of one
# loses: first, causal, written, values, short, gradients
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1) - terms)
    return (b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden).cumsum(1)).squeeze()


# %% strict_output: scores that lack the hidden layer of their own position: s < t in the second sum
# loses: first, written, values, short, gradients
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1) - terms)
    written = torch.einsum("tdk,btk->btd", W[:time], hidden)
    return b[:time] + written.cumsum(1) - written
